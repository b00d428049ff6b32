import { LRUCache } from "lru-cache";
import type { Authorized } from "../access/authorize.ts";
import type { CachedResponse } from "./cached-response.ts";
import { SharedReads } from "./shared-reads.ts";
import type { LogPosition } from "../events/cursor.ts";

/** The answers about one resource. All of them show the state at a position of the log. */
export class CachedResponses {
  readonly responses = new Map<string, CachedResponse>();
  readonly workspaceId: bigint;
  /** Users whose names the answers show, members or not: their ids and row versions. */
  readonly authors = new Map<bigint, string>();
  position: LogPosition;
  /** When the position was seen. */
  seenAt: number;
  /** The bytes that the cache has counted for them. */
  countedSize = 0;
  #cursor: { text: string; position: LogPosition; writtenAt: number } | undefined;

  constructor(workspaceId: bigint, position: LogPosition, now: Date) {
    this.workspaceId = workspaceId;
    this.position = position;
    this.seenAt = now.getTime();
  }

  /** The cursor of the position. The same text serves for a minute, until an event moves it. */
  cursor(write: (position: LogPosition, at: Date) => string, now: Date): string {
    const { position } = this;
    const last = this.#cursor;
    const isSame = last?.position.number === position.number;
    const writtenAt = now.getTime();
    if (last !== undefined && isSame && writtenAt - last.writtenAt < 60_000) return last.text;
    const text = write(position, now);
    this.#cursor = { text, position, writtenAt };
    return text;
  }

  /** Records that the answers are current at a later position. */
  confirm(position: LogPosition, now: Date): void {
    this.position = position;
    this.seenAt = now.getTime();
  }

  get size(): number {
    let bytes = 0;
    for (const { size } of this.responses.values()) bytes += size;
    return Math.ceil(bytes) + 1;
  }
}

/** An authorized call, with the cached answers about its target that are current. */
type Revalidated = { authorized: Authorized; cached: CachedResponses | undefined };

/** Answers in the memory of this process, at most so many bytes, which workspaces share. */
export type ResponseCache = {
  readonly isOn: boolean;
  /** The answers about a resource, unless they were not confirmed for an hour. */
  get(key: string, now: Date): CachedResponses | undefined;
  /** Stores an answer: with the others of its resource, or alone. */
  store(key: string, cached: CachedResponses, variant: string, response: CachedResponse): void;
  drop(key: string, cached: CachedResponses): void;
  /** The revalidations that run, by their caller and resource. */
  readonly revalidations: SharedReads<Revalidated>;
  /** The reads of answers that run, by their resource and variant. */
  readonly reads: SharedReads<never>;
  /** How many reads were answered from memory, and how many were not. */
  readonly counts: { hits: number; misses: number };
  readonly bytes: number;
};

const megabyte = 1024 * 1024;
// Events are purged after a day at the earliest: until then every change of an answer has one.
const maxAgeMs = 60 * 60_000;
/** How many forms of an answer are cached: by permissions and filters. */
const maxVariants = 50;
/** The largest part of a full cache that one workspace gets. */
const shareOfWorkspace = 1 / 4;

/** A cache of `maxSize` bytes that workspaces share. */
function sharedSpace(maxSize: number) {
  const share = maxSize * shareOfWorkspace;
  const bytesOf = new Map<bigint, number>();
  const isOver = (workspaceId: bigint, added = 0) =>
    (bytesOf.get(workspaceId) ?? 0) + added > share;
  const count = (workspaceId: bigint, change: number) => {
    const bytes = (bytesOf.get(workspaceId) ?? 0) + change;
    if (bytes === 0) bytesOf.delete(workspaceId);
    else bytesOf.set(workspaceId, bytes);
  };
  const cache = new LRUCache<string, CachedResponses>({
    maxSize,
    sizeCalculation: ({ size }) => size,
    dispose: ({ workspaceId, countedSize }) => count(workspaceId, -countedSize),
  });
  /** The key to evict: the least recently used one of a workspace that is over its share. */
  const leaving = (workspaceId: bigint, size: number): string | undefined => {
    const isOwn = bytesOf.has(workspaceId) && isOver(workspaceId, size);
    if (!isOwn && [...bytesOf.values()].every((bytes) => bytes <= share)) return undefined;
    for (const key of cache.rkeys()) {
      const owner = cache.peek(key)?.workspaceId ?? 0n;
      if (isOwn ? owner === workspaceId : isOver(owner)) return key;
    }
    return undefined;
  };
  /** Makes space for an answer; false if its workspace would exceed its share. */
  const makeSpace = (workspaceId: bigint, size: number): boolean => {
    if (size > maxSize) return false;
    while (cache.calculatedSize + size > maxSize) {
      const key = leaving(workspaceId, size);
      if (key === undefined) return !isOver(workspaceId, size);
      cache.delete(key);
    }
    return true;
  };
  const place = (key: string, cached: CachedResponses) => {
    const { workspaceId, size } = cached;
    if (!makeSpace(workspaceId, size)) return;
    cached.countedSize = size;
    count(workspaceId, size);
    cache.set(key, cached);
  };
  return { cache, place };
}

/** Makes a cache of so many megabytes; 0 stores nothing. */
export function createResponseCache(megabytes: number): ResponseCache {
  const isOn = megabytes > 0;
  const { cache, place } = sharedSpace(Math.max(1, megabytes * megabyte));
  const drop = (key: string, cached: CachedResponses) => {
    if (cache.peek(key) === cached) cache.delete(key);
  };
  return {
    isOn,
    revalidations: new SharedReads(),
    reads: new SharedReads(),
    counts: { hits: 0, misses: 0 },
    get bytes() {
      return cache.calculatedSize;
    },
    get(key, now) {
      const cached = cache.get(key);
      if (cached === undefined) return undefined;
      if (now.getTime() - cached.seenAt >= maxAgeMs) {
        cache.delete(key);
        return undefined;
      }
      return cached;
    },
    store(key, cached, variant, response) {
      if (!isOn) return;
      if (cached.responses.size >= maxVariants) cached.responses.clear();
      cached.responses.set(variant, response);
      // Its size has changed.
      cache.delete(key);
      place(key, cached);
    },
    drop,
  };
}
