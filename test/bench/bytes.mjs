import { fileURLToPath } from "node:url";

// `npm run bench:bytes`: what writes leave behind, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("bytes.ts", import.meta.url)));
await import("../support/run-typescript.mjs");
