import type { Stop } from "./types.ts";

/** Functions to call when something changes. */
export class Listeners<Args extends unknown[] = []> {
  readonly #all = new Set<{ call: (...args: Args) => void }>();

  get size(): number {
    return this.#all.size;
  }

  /** Adds a function until the returned one is called. The same function can be added twice. */
  add(call: (...args: Args) => void): Stop {
    const listener = { call };
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  notify(...args: Args): void {
    for (const { call } of this.#all) call(...args);
  }
}
