import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { cheapHashing, configOf } from "../support/config.ts";
import { startService, type Service } from "../../src/app/service.ts";
import { freshDatabase, type FreshDatabase } from "../support/database.ts";

/**
 * Starts the service like `npm start`, with its own port and database, and more settings. Returns its
 * URL.
 */
export function useService(more: () => Promise<Record<string, string>> = async () => ({})) {
  let database: FreshDatabase | undefined;
  let service: Service | undefined;
  beforeAll(async () => {
    database = await freshDatabase();
    const settings = {
      DATABASE_URL: database.url,
      PORT: "0",
      APP_SECRET: "a secret for tests, 32 characters",
      RATE_LIMIT: "1000",
      ...(await more()),
    };
    service = await startService(configOf(settings, cheapHashing), pino({ level: "error" }));
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });
  return () => {
    if (service === undefined) throw new Error("The service is there only inside tests.");
    return service.url;
  };
}
