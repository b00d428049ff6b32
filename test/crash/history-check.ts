import { expect } from "vitest";
import { commentOf, type Operation } from "./history-client.ts";
import type { Client } from "./service-client.ts";

/** An event of the feed, as the checks need it. */
export type FeedEvent = {
  id: string;
  type: string;
  mutationId?: string;
  data: any;
  changes?: Record<string, { to: unknown }>;
};

/** Reads the feed from a cursor to its end; undefined when the service does not answer. */
export async function readFeed(call: Client, path: string, cursor?: string) {
  const items: FeedEvent[] = [];
  for (let next = cursor; ;) {
    const query = next === undefined ? "" : `&cursor=${encodeURIComponent(next)}`;
    const response = await call("GET", `${path}?limit=100${query}`).catch(() => undefined);
    if (response === undefined || response.status === 503) return { items, cursor: next };
    expect([response.status, response.body.issues]).toEqual([200, undefined]);
    next = String(response.body.nextCursor);
    items.push(...response.body.items);
    if (response.body.items.length === 0) return { items, cursor: next };
  }
}

/** The event that an operation published, by the text that it wrote. */
const mainEvents: Record<string, (event: FeedEvent) => unknown> = {
  comment: ({ type, data }) => type === "comment.created" && data.comment.comment,
  create: ({ type, data }) => type === "card.created" && data.card.title,
  duplicate: ({ type, data }) => type === "card.created" && data.card.title,
  rename: ({ type, changes }) => type === "card.updated" && changes?.["title"]?.to,
  bulk: ({ type, changes }) => type === "card.updated" && changes?.["dueDate"]?.to,
  compare: ({ type, changes }) => type === "card.updated" && changes?.["title"]?.to,
};

const isToggle = ({ type }: FeedEvent) => /^card\.label_(?:added|removed)$/.test(type);

/** Acknowledged writes happened once, refused ones never, unknown ones at most once. */
export function checkOnce(history: Operation[], feed: FeedEvent[]): void {
  const counts = new Map<string, number>();
  for (const event of feed) {
    const texts = Object.values(mainEvents).map((read) => read(event));
    const names = isToggle(event) ? [event.mutationId] : texts;
    for (const name of new Set(names)) {
      if (typeof name === "string") counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  for (const { kind, text, key, outcome } of history) {
    const name = kind === "toggle" ? key : text;
    if (outcome === "read" || name === undefined) continue;
    const allowed = { written: [1], refused: [0], unknown: [0, 1] }[outcome];
    const count = counts.get(name) ?? 0;
    expect(allowed, `${kind} ${text} with key ${key}: ${outcome}`).toContain(count);
    if (kind === "batch") expect(counts.get(commentOf(text)) ?? 0).toBe(count);
  }
  const toggles = history.filter(({ kind }) => kind === "toggle");
  const written = toggles.filter(({ outcome }) => outcome === "written").length;
  const toggled = feed.filter(isToggle).length;
  expect(toggled).toBeGreaterThanOrEqual(written);
  expect(toggled).toBeLessThanOrEqual(toggles.length);
}

/** The versions of each card have neither gap nor repetition. */
export function checkVersions(feed: FeedEvent[], cards: string[]): void {
  for (const card of cards) {
    const versions = feed
      .filter(({ data }) => data.card?.publicId === card)
      .map(({ data }) => Number(data.card.version))
      .toSorted((one, other) => one - other);
    expect(versions).toEqual(versions.map((_, nth) => nth + 1));
  }
}

/** Each card is a register whose writes and reads have one order, which is that of time. */
export function checkRegister(history: Operation[], feed: FeedEvent[], card: string): void {
  const titles = feed
    .filter(({ data }) => data.card?.publicId === card)
    .map(({ data }) => [Number(data.card.version), String(data.card.title)] as const);
  const titleAt = new Map(titles);
  const seen = history
    .filter((one) => one.card === card && one.version !== undefined)
    .filter(({ kind }) => kind === "rename" || kind === "compare" || kind === "read")
    .toSorted((one, other) => one.began - other.began);
  for (const { kind, text, title = text, version = 0, required } of seen) {
    expect([version, titleAt.get(version)], kind).toEqual([version, title]);
    if (required !== undefined) expect(`"${version - 1}"`).toBe(required);
  }
  const byEnd = seen.toSorted((one, other) => one.ended - other.ended);
  let newest = 0;
  let next = 0;
  for (const { began, kind, version = 0 } of seen) {
    for (; (byEnd[next]?.ended ?? Infinity) < began; next++) {
      newest = Math.max(newest, byEnd[next]?.version ?? 0);
    }
    // What ended before an operation began is visible to it; a write comes after it.
    expect(version).toBeGreaterThanOrEqual(kind === "read" ? newest : newest + 1);
  }
}
