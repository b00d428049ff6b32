import { defineConfig } from "vitest/config";
import { patience } from "./test/support/patience.ts";

/** The tests that kill processes: `npm run test:long` has them too. */
export default defineConfig({
  test: {
    include: ["test/crash/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/each-file.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: patience } },
    maxWorkers: 2,
  },
});
