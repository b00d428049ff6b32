import { fileURLToPath } from "node:url";

// `npm run bench:deliveries`: the benchmark of webhook deliveries, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("deliveries.ts", import.meta.url)));
await import("../support/run-typescript.mjs");
