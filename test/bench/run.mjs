import { fileURLToPath } from "node:url";

// `npm run bench`: the benchmark itself, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("run.ts", import.meta.url)));
await import("./start.mjs");
