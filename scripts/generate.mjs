import { spawnSync } from "node:child_process";

// Generates the Prisma client. Prisma downloads a native engine that `generate` does not use,
// unless this variable names a program.
const { status } = spawnSync("prisma", ["generate", "--no-hints"], {
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  shell: process.platform === "win32",
  stdio: "inherit",
});
process.exitCode = status ?? 1;
