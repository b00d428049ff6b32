import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { pino } from "pino";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { scratchDirectory, sweepScratch, throwaway } from "../../src/platform/db/scratch.ts";
import { startBuilt, type Server } from "../bench/servers.ts";

/** Runs `use` with the built service on an empty database; no other host can be reached. */
export async function withService<Result>(
  use: (server: Server, databaseUrl: string) => Promise<Result>,
  env: Record<string, string> = {},
) {
  await sweepScratch();
  const cwd = await scratchDirectory();
  const log = pino({ level: "error" });
  const database = await startEmbedded({ dataDir: cwd, log, settings: throwaway });
  try {
    await migrate(database.url, log);
    const server = await startBuilt({
      databaseUrl: database.url,
      secret: randomBytes(32).toString("hex"),
      cwd,
      env: {
        TRELLO_API_KEY: "0".repeat(32),
        TRELLO_API_URL: "http://127.0.0.1:1",
        GITHUB_CLIENT_ID: "client",
        GITHUB_CLIENT_SECRET: "secret",
        GITHUB_URL: "http://127.0.0.1:1",
        GITHUB_API_URL: "http://127.0.0.1:1",
        PASSWORD_HASH_MEMORY: "8",
        LOG_LEVEL: "fatal",
        ...env,
      },
    });
    return await use(server, database.url).finally(() => server.stop());
  } finally {
    await database.stop();
    await rm(cwd, { recursive: true, force: true });
  }
}
