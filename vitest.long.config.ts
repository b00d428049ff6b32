import { defineConfig } from "vitest/config";
import fast from "./vitest.config.ts";

/** The long tests: full matrices, large data, fuzzing, timeouts and the browser. */
export default defineConfig({
  test: {
    ...fast.test,
    include: ["test/**/*.long.test.ts"],
    exclude: ["node_modules/**"],
    testTimeout: 120_000,
  },
});
