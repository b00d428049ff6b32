import { afterAll, afterEach, vi } from "vitest";

// Also of a test that fails nothing is left to the later tests and files of its worker.
afterEach(() => void vi.restoreAllMocks());
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
