import { afterAll, afterEach, vi } from "vitest";

/** A loaded machine takes seconds for what is usually there at once. */
const leastMs = 20_000;

const { waitFor, waitUntil } = vi;
const isDone = Symbol.for("waits are longer");

/** Options with a time of at least `leastMs`. */
const longer = <Options extends { timeout?: number }>(options: number | Options) => {
  const given = typeof options === "number" ? { timeout: options } : options;
  return { ...given, timeout: Math.max(given.timeout ?? 0, leastMs) };
};

// Files of one worker share `vi`.
if (!Reflect.has(vi, isDone)) {
  Reflect.set(vi, isDone, true);
  vi.waitFor = (callback, options = {}) => waitFor(callback, longer(options));
  vi.waitUntil = (callback, options = {}) => waitUntil(callback, longer(options));
}

// Also of a test that fails nothing is left to the later tests and files of its worker.
afterEach(() => void vi.restoreAllMocks());
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
