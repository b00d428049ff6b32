import { TokenBucket } from "../token-bucket.ts";

/** How much one host or one address gets: attempts at a time and per second. */
export type DestinationLimits = { concurrency: number; rate: number; perWorkspace: number };

/** What one host or one address gets now. */
export class DestinationUse {
  readonly #limits: DestinationLimits;
  readonly #workspaces = new Map<bigint, number>();
  readonly #bucket: TokenBucket;
  #inFlight = 0;
  #startedAt = 0;

  constructor(limits: DestinationLimits) {
    this.#limits = limits;
    this.#bucket = new TokenBucket(limits.rate);
  }

  /** Whether its concurrency allows another attempt of a workspace. */
  hasCapacity(workspaceId: bigint): boolean {
    const { concurrency, perWorkspace } = this.#limits;
    return this.#inFlight < concurrency && this.#usedBy(workspaceId) < perWorkspace;
  }

  /** How long until its rate allows another attempt. */
  waitMs(): number {
    return this.#bucket.waitMs();
  }

  /** Whether it allows another attempt of a workspace now. */
  accepts(workspaceId: bigint): boolean {
    return this.hasCapacity(workspaceId) && this.waitMs() === 0;
  }

  /** Counts an attempt; the returned function ends it. */
  start(workspaceId: bigint): () => void {
    this.#bucket.take();
    this.#inFlight++;
    this.#startedAt = performance.now();
    this.#workspaces.set(workspaceId, this.#usedBy(workspaceId) + 1);
    return () => {
      this.#inFlight--;
      const left = this.#usedBy(workspaceId) - 1;
      if (left > 0) this.#workspaces.set(workspaceId, left);
      else this.#workspaces.delete(workspaceId);
    };
  }

  /** Whether it has had no attempt for a second. */
  isIdle(): boolean {
    return this.#inFlight === 0 && performance.now() - this.#startedAt > 1_000;
  }

  #usedBy(workspaceId: bigint): number {
    return this.#workspaces.get(workspaceId) ?? 0;
  }
}
