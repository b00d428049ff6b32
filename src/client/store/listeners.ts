import type { Stop } from "./types.ts";

/** Calls a function of the application. Its failure is an uncaught error, and stops nothing. */
export function run<Args extends unknown[]>(
  call: ((...args: Args) => void) | undefined,
  ...args: Args
): void {
  try {
    call?.(...args);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}

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
    for (const { call } of this.#all) run(call, ...args);
  }
}
