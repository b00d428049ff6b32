import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const config = mergeConfig(base, defineConfig({ test: { testTimeout: 600_000, maxWorkers: 1 } }));
config.test = { ...config.test, include: ["test/crash/**/*.test.ts"], exclude: ["node_modules/**"] };

/** The tests that kill processes: they take turns, and their time. */
export default config;
