import { defineConfig } from "vitest/config";
import fast from "./vitest.config.ts";

/** The long tests: full matrices, large data, fuzzing, waits, failures, the browser, killed processes. */
export default defineConfig({
  test: {
    ...fast.test,
    include: ["test/**/*.long.test.ts", "test/crash/**/*.test.ts"],
    exclude: ["node_modules/**"],
    // A test that can take longer has its own timeout.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Many tests wait for other processes.
    maxWorkers: 3,
    // The native compiler ends within seconds: without garbage collection it takes less CPU.
    env: { GOGC: "off", GOMEMLIMIT: "1GiB" },
  },
});
