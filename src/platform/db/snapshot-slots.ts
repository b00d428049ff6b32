import { EventEmitter, once } from "node:events";
import { tooManyRequests, unavailable } from "../errors.ts";

/** How many snapshots are open at a time, in total and per user. */
export const mostSnapshots = 4;
const mostOfOne = 2;
/** How long a reader over the limit waits, and how often it looks. */
const patienceMs = 2_000;
const lookMs = 200;

/**
 * When a reader counts as slow, and can lose its snapshot to one that waits.
 *
 * It has paused for `totalMs`, where a pause of more than `pauseMs` between two statements counts,
 * or for `idleMs` in pauses of any length: small ones would hold a snapshot for as long as it has
 * pages.
 */
export type SlowReaders = { pauseMs: number; totalMs: number; idleMs: number };

/** One open reader: how long it has paused, and how it ends. */
export class Slot {
  readonly who: bigint;
  cut: () => void = () => undefined;
  readonly release: () => void;
  readonly #slow: SlowReaders;
  #idleSince: number | undefined;
  #pausedMs = 0;
  #idleMs = 0;

  constructor(who: bigint, slow: SlowReaders, release: (slot: Slot) => void) {
    this.who = who;
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

/** Limits the open snapshots; a reader over the limit waits for its turn, then gets 429 or 503. */
export function createSlots(slow: SlowReaders) {
  const open = new Set<Slot>();
  /** Readers that wait, in the order of arrival. */
  const waiting = new Set<{ who: bigint }>();
  const left = new EventEmitter().setMaxListeners(0);
  const release = (slot: Slot) => {
    open.delete(slot);
    left.emit("left");
  };
  const slotsOf = (who: bigint) => [...open].filter((slot) => slot.who === who);
  const blocking = (who: bigint) => {
    const mine = slotsOf(who);
    return mine.length >= mostOfOne ? mine : open.size >= mostSnapshots ? [...open] : [];
  };
  /** Whether a free slot belongs to another one that waits, whose user has fewer or came before. */
  const isTurnOfOther = (reader: { who: bigint }) => {
    const mine = slotsOf(reader.who).length;
    const others = [...waiting];
    const arrived = others.indexOf(reader);
    return others.some(({ who }, index) => {
      const theirs = slotsOf(who).length;
      return who !== reader.who && (theirs < mine || (theirs === mine && index < arrived));
    });
  };
  /** Ends the slowest of some readers, if it is slow. */
  const cutSlowest = (slots: Slot[]) => {
    const [slowest] = slots
      .filter(({ isSlow }) => isSlow)
      .toSorted((one, other) => other.idleMs - one.idleMs);
    slowest?.cut();
  };
  return {
    async acquire(who: bigint): Promise<Slot> {
      const deadline = performance.now() + patienceMs;
      const reader = { who };
      waiting.add(reader);
      try {
        for (;;) {
          cutSlowest(blocking(who));
          if (blocking(who).length === 0 && !isTurnOfOther(reader)) break;
          if (performance.now() > deadline) throw refusal(slotsOf(who).length);
          const signal = AbortSignal.timeout(lookMs);
          await once(left, "left", { signal }).catch(() => undefined);
        }
        const slot = new Slot(who, slow, release);
        open.add(slot);
        return slot;
      } finally {
        waiting.delete(reader);
        left.emit("left");
      }
    },
    cutAll() {
      for (const slot of open) slot.cut();
    },
  };
}

const refusal = (mine: number) =>
  mine >= mostOfOne
    ? tooManyRequests("too_many_exports", `${mine} of your exports are running. Wait for one.`, 5)
    : unavailable("overloaded", "Too many exports are running.", { seconds: 10 });
