import { defineConfig } from "vitest/config";
import fast from "./vitest.config.ts";

/** The long tests: full matrices, large data, fuzzing, timeouts, the browser and killed processes. */
export default defineConfig({
  test: {
    ...fast.test,
    include: ["test/**/*.long.test.ts", "test/crash/**/*.test.ts"],
    exclude: ["node_modules/**"],
    // Only for tests that wait for ever: slow machines pass too.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // Many tests wait for other processes.
    maxWorkers: 3,
  },
});
