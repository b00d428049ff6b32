import { fileURLToPath } from "node:url";

// `npm run bench:fair`: what others notice of expensive work, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("fair/run.ts", import.meta.url)));
await import("../support/run-typescript.mjs");
