import { vi } from "vitest";
import { patience } from "./patience.ts";

type Options = { timeout?: number; interval?: number };

/** Waits until a check does not throw. */
export const waitFor = <Result>(
  check: () => Result | Promise<Result>,
  options: Options = {},
): Promise<Result> => vi.waitFor(check, { timeout: patience, interval: 25, ...options });

/** Waits until a value is not false. */
export const waitUntil = <Result>(check: () => Result | Promise<Result>, options: Options = {}) =>
  vi.waitUntil(check, { timeout: patience, interval: 25, ...options });
