import { defineConfig } from "vitest/config";

/** The tests that kill processes: they take turns, and their time. */
export default defineConfig({
  test: {
    include: ["test/crash/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
});
