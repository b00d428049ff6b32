import { afterAll, beforeAll } from "vitest";
import { createDeps } from "../../src/app/deps.ts";
import { createApp } from "../../src/app/http-application.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import type { App } from "./app.ts";

export type Instance = { fetch: (request: Request) => Promise<Response> };

/** The app of a file and a second instance over the same database. */
export function useInstances(app: () => App) {
  let instances: Instance[] = [];
  let close = async () => {};
  beforeAll(async () => {
    const { config, log, clock, stopping } = app().deps;
    const db = await openDatabase(app().url, config.DATABASE_CONNECTIONS, log);
    const other = createApp(await createDeps({ config, log, clock, stopping, db }));
    instances = [app(), { fetch: async (request) => other.fetch(request) }];
    close = () => db.close();
  });
  afterAll(() => close());
  return {
    all: () => instances,
    /** Runs the same on both instances at once, `times` in all. */
    race: <Result>(times: number, run: (instance: Instance, nth: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: times }, (_, nth) => run(instances[nth % 2] ?? app(), nth))),
  };
}
