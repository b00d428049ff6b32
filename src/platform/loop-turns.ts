import { setImmediate } from "node:timers/promises";

/** How long work may hold the event loop. */
const turnMs = 10;

/** Divides long work of this process into turns of the event loop. */
export class LoopTurns {
  #since = performance.now();

  /** Lets others use the event loop, when a turn is over. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < turnMs) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
