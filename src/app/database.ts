import type { Logger } from "pino";
import type { Config } from "../platform/config.ts";
import { checkDatabase } from "../platform/db/check-database.ts";
import { addressOfService } from "../platform/db/embedded/service-role.ts";
import { startEmbedded } from "../platform/db/embedded/server.ts";

/**
 * The address of the service's database. `stop` stops it when this process runs it; `willStop`
 * announces that.
 */
export type ServiceDatabase = { url: string; willStop(): void; stop(): Promise<void> };

/** Starts the embedded database, or checks the one that `DATABASE_URL` names. */
export async function startDatabase(config: Config, log: Logger): Promise<ServiceDatabase> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config;
  if (url === undefined) {
    const embedded = await startEmbedded({ dataDir, log });
    try {
      return { ...embedded, url: await addressOfService(embedded.url) };
    } catch (error) {
      await embedded.stop();
      throw error;
    }
  }
  await checkDatabase(url);
  return { url, willStop: () => undefined, stop: async () => undefined };
}

/** Stops a database that starts or runs; nothing if its start fails. */
export const stopDatabase = (starting: Promise<ServiceDatabase>): Promise<void> =>
  starting.then(
    (database) => database.stop(),
    () => undefined,
  );
