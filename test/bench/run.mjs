import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// `npm run bench`: the benchmark itself, which is TypeScript.
process.argv.splice(2, 0, fileURLToPath(new URL("run.ts", import.meta.url)));
await import("../support/run-typescript.mjs");
if (process.argv.includes("--smoke")) {
  const fair = fileURLToPath(new URL("fair.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [fair, "--smoke"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
