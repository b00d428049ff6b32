import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { pino } from "pino";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { scratchDirectory, sweepScratch, throwaway } from "../../src/platform/db/scratch.ts";
import { cheapHashing, withConstants } from "../support/config.ts";
import { startBuilt, type Common, type Server } from "../bench/servers.ts";

/** Starts the built service on a database; it reaches no other host. */
export const startOffline = ({ env, ...common }: Common): Promise<Server> =>
  startBuilt({
    ...common,
    env: {
      TRELLO_API_KEY: "0".repeat(32),
      TRELLO_API_URL: "http://127.0.0.1:1",
      GITHUB_CLIENT_ID: "client",
      GITHUB_CLIENT_SECRET: "secret",
      GITHUB_URL: "http://127.0.0.1:1",
      GITHUB_API_URL: "http://127.0.0.1:1",
      ...withConstants(cheapHashing),
      LOG_LEVEL: "fatal",
      ...env,
    },
  });

/**
 * Runs `use` with the built service on an empty database; no other host can be reached. The
 * database is a copy of the one in `migrated`, or new.
 */
export async function withService<Result>(
  use: (server: Server, databaseUrl: string) => Promise<Result>,
  env: Record<string, string> = {},
  migrated?: string,
) {
  await sweepScratch();
  const cwd = await scratchDirectory();
  // With the owners of the files.
  if (migrated !== undefined) await promisify(execFile)("cp", ["-Rp", `${migrated}/.`, cwd]);
  const log = pino({ level: "error" });
  const database = await startEmbedded({ dataDir: cwd, log, settings: throwaway });
  try {
    await migrate(database.url, log);
    const secret = randomBytes(32).toString("hex");
    const server = await startOffline({ databaseUrl: database.url, secret, cwd, env });
    return await use(server, database.url).finally(() => server.stop());
  } finally {
    await database.stop();
    await rm(cwd, { recursive: true, force: true });
  }
}
