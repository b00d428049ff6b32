import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

// Threads load the sources as Node does: only there, TypeScript is compiled when it is imported.
// Test files are compiled by Vitest.
if (!isMainThread) register("./typescript-loader.mjs", import.meta.url);
