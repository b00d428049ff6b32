import { fileURLToPath } from "node:url";

// `npm run bench:upgrade`: an upgrade under load, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("upgrade.ts", import.meta.url)));
await import("../support/run-typescript.mjs");
