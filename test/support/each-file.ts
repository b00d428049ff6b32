import { afterAll, afterEach, vi } from "vitest";

/** A loaded machine takes seconds for what is usually there at once. */
const leastMs = 20_000;

const { waitFor } = vi;
const isDone = Symbol.for("waitFor waits longer");

// Files of one worker share `vi`.
if (!Reflect.has(vi, isDone)) {
  Reflect.set(vi, isDone, true);
  vi.waitFor = (callback, options = {}) => {
    const given = typeof options === "number" ? { timeout: options } : options;
    return waitFor(callback, { ...given, timeout: Math.max(given.timeout ?? 0, leastMs) });
  };
}

// Also of a test that fails nothing is left to the later tests and files of its worker.
afterEach(() => void vi.restoreAllMocks());
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
