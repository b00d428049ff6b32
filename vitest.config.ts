import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/support/slowest-first.ts";
import { patience } from "./test/support/patience.ts";

/** The fast tests, which `npm test` runs. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts", "test/crash/**", "node_modules/**"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/each-file.ts"],
    // For tests that wait for ever: none fails because the machine is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: patience } },
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // Each file has its own database and app. The modules are loaded once per worker.
    isolate: false,
    // Fewer, larger collections of short-lived objects; their threads would wait for each other.
    execArgv: [
      "--max-semi-space-size=64",
      "--single-threaded-gc",
      // Compiles the sources in the threads that read the bytes of strangers.
      `--import=${new URL("test/support/typescript-hooks.mjs", import.meta.url).href}`,
    ],
    // The next run compiles only the files that have changed.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest" },
  },
});
