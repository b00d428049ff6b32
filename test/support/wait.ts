import { setTimeout as pause } from "node:timers/promises";
import { vi } from "vitest";
import { patience } from "./patience.ts";

type Options = { timeout?: number; interval?: number };

const shortest = 25;
const longest = 250;
/** What a wait may be longer, of itself: a check often is a call, which costs what it waits for time. */
const share = 0.1;

/** Waits until a check does not throw. */
export async function waitFor<Result>(
  check: () => Result | Promise<Result>,
  { timeout = patience, interval }: Options = {},
): Promise<Result> {
  // It moves the time that a test has stopped.
  if (vi.isFakeTimers()) return vi.waitFor(check, { timeout, interval: interval ?? shortest });
  const since = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waited = performance.now() - since;
      if (waited >= timeout) throw error;
      await pause(interval ?? Math.min(longest, Math.max(shortest, waited * share)));
    }
  }
}

/** Waits until a value is not false. */
export const waitUntil = <Result>(check: () => Result | Promise<Result>, options: Options = {}) =>
  waitFor(async () => {
    const value = await check();
    if (!value) throw new Error("What a test waits for has not happened.");
    return value;
  }, options);
