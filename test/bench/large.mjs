import { fileURLToPath } from "node:url";

// `npm run bench:large`: searches of a large workspace, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("large.ts", import.meta.url)));
await import("../support/run-typescript.mjs");
