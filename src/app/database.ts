import type { Logger } from "pino";
import type { Config } from "../platform/config.ts";
import { startEmbedded } from "../platform/db/embedded/server.ts";

/** The address of the service's database. `stop` stops it when this process runs it. */
export type ServiceDatabase = { url: string; stop(): Promise<void> };

/** Starts the embedded database, unless `DATABASE_URL` names another one. */
export async function startDatabase(config: Config, log: Logger): Promise<ServiceDatabase> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config;
  return url === undefined ? startEmbedded({ dataDir, log }) : { url, stop: async () => undefined };
}
