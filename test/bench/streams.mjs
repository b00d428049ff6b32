import { fileURLToPath } from "node:url";

// `npm run bench:streams`: the benchmark of the streams, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("streams.ts", import.meta.url)));
await import("../support/run-typescript.mjs");
