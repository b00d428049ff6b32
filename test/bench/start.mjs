import { resolve } from "node:path";
import { runnerImport } from "vite";

// Runs a TypeScript file of the benchmark: Node 20 reads no TypeScript by itself. Arguments begin at `process.argv[3]`.
await runnerImport(resolve(process.argv[2]));
