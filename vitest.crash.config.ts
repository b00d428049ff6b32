import { defineConfig } from "vitest/config";

/** The tests that kill processes: `npm run test:long` has them too. */
export default defineConfig({
  test: {
    include: ["test/crash/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/each-file.ts"],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
});
