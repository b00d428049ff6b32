import { tooManyRequests, unavailable } from "../errors.ts";
import { FairShare } from "../fair-share.ts";

/** How many snapshots are open at a time, in total and per user. */
export const maxSnapshots = 4;
const maxPerUser = 2;
/** How often waiting readers look for a slow one. */
const lookMs = 200;

/**
 * When a reader counts as slow, and can lose its snapshot to one that waits.
 *
 * It has paused for `totalMs`, where a pause of more than `pauseMs` between two statements counts,
 * or for `idleMs` in pauses of any length: small ones would hold a snapshot for as long as it has
 * pages.
 */
export type SlowReaders = { pauseMs: number; totalMs: number; idleMs: number };

/** One open snapshot: whose it is, how long its reader has paused, and how to end it. */
export class Slot {
  readonly userId: bigint;
  cut: () => void = () => undefined;
  readonly release: () => void;
  readonly #slow: SlowReaders;
  #idleSince: number | undefined;
  #pausedMs = 0;
  #idleMs = 0;

  constructor(userId: bigint, slow: SlowReaders, release: (slot: Slot) => void) {
    this.userId = userId;
    this.#slow = slow;
    this.release = () => release(this);
  }

  /** Counts a statement as running until the returned function is called. */
  run(): () => void {
    [this.#pausedMs, this.#idleMs] = [this.#paused, this.idleMs];
    this.#idleSince = undefined;
    return () => (this.#idleSince = performance.now());
  }

  /** How long the snapshot has waited between statements of the reader, in ms. */
  get idleMs(): number {
    return this.#idleMs + this.#current;
  }

  get isSlow(): boolean {
    return this.#paused >= this.#slow.totalMs || this.idleMs >= this.#slow.idleMs;
  }

  get #current(): number {
    return this.#idleSince === undefined ? 0 : performance.now() - this.#idleSince;
  }

  get #paused(): number {
    return this.#pausedMs + (this.#current > this.#slow.pauseMs ? this.#current : 0);
  }
}

/** Limits open snapshots; a reader over the limit waits for its turn, then gets 429 or 503. */
export function createSlots(slow: SlowReaders) {
  const open = new Set<Slot>();
  const shares = new FairShare(snapshotShares, refusal);
  /** Ends the slowest reader that keeps a user from a snapshot, if it is slow. */
  const cutSlowest = (userId: bigint) => {
    const ownSlots = [...open].filter((slot) => slot.userId === userId);
    const blocking = ownSlots.length < maxPerUser ? [...open] : ownSlots;
    const [slowest] = blocking
      .filter(({ isSlow }) => isSlow)
      .toSorted((one, other) => other.idleMs - one.idleMs);
    slowest?.cut();
  };
  return {
    async acquire(userId: bigint): Promise<Slot> {
      const acquiring = shares.acquire(String(userId));
      const looking = setInterval(cutSlowest, lookMs, userId);
      const end = await acquiring.finally(() => clearInterval(looking));
      const slot = new Slot(userId, slow, (ended) => {
        open.delete(ended);
        end();
      });
      open.add(slot);
      return slot;
    },
    cutAll() {
      for (const slot of open) slot.cut();
    },
  };
}

/** How users share the snapshots. */
export const snapshotShares = {
  size: maxSnapshots,
  perCaller: maxPerUser,
  perTenant: maxPerUser,
  queue: 200,
  queuePerCaller: 20,
  waitMs: 2_000,
};

const refusal = (running: number) =>
  running >= maxPerUser
    ? tooManyRequests(
        "too_many_exports",
        `${running} of your exports are running. Wait for one to end.`,
        5,
      )
    : unavailable("overloaded", "Too many exports are running. Try again later.", { seconds: 10 });
