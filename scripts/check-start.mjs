import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

// Starts the built service with an empty data directory and waits until it reports that it is healthy.

const port = process.env.PORT ?? "3999";
const data = mkdtempSync(join(tmpdir(), "wbs-check-"));
const options = ["--enable-source-maps", "--max-semi-space-size=8"];
const service = spawn(process.execPath, [...options, "dist/main.js"], {
  env: { ...process.env, PORT: port, DATA_DIR: data, LOG_LEVEL: "warn" },
  stdio: "inherit",
});
const ended = once(service, "exit");

async function health() {
  for (let tries = 0; tries < 120 && service.exitCode === null; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/health`).catch(() => undefined);
    if (response?.ok === true) return response.text();
    await pause(500);
  }
  throw new Error("The service did not become healthy.");
}

try {
  process.stdout.write(`${await health()}\n`);
} finally {
  service.kill("SIGTERM");
  await ended;
  rmSync(data, { recursive: true, force: true, maxRetries: 5 });
}
