import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import type { Logger } from "pino";
import { requestIdOf } from "../api/rest/create-context.ts";
import { errorResponse } from "../api/rest/error-response.ts";
import { securityHeaders } from "../api/rest/protective-headers.ts";
import { baseUrlOf, type Config } from "../platform/config.ts";
import { migrate, pendingMigrations } from "../platform/db/migrate.ts";
import { unavailable } from "../platform/errors.ts";
import { crossOrigin } from "./cors.ts";
import { type Fetch, listen } from "./http-server.ts";

/** How often a service that may not migrate looks whether somebody has. */
const lookMs = 1_000;

/** Answers `/livez`, and everything else with 503 and what the service does before it is ready. */
function createStartingApp(config: Config, log: Logger, state: () => string): Hono {
  const app = new Hono();
  app.use(securityHeaders(baseUrlOf(config)));
  app.use(crossOrigin(config, app));
  app.get("/livez", (c) => c.json({ status: "ok" }));
  app.all("*", (c) =>
    errorResponse(
      unavailable("starting", `The service is starting: ${state()}.`),
      requestIdOf(c.req.raw),
      { log },
    ),
  );
  return app;
}

/** Listens at once: `report` says what the start does, and `serve` ends it. */
export async function listenWhileStarting(config: Config, log: Logger) {
  let state = "opening the database";
  let answer: Fetch = createStartingApp(config, log, () => state).fetch;
  const address = { ...config, baseUrl: baseUrlOf(config) };
  const server = await listen((request, env) => answer(request, env), address, log);
  return {
    server,
    report: (next: string) => void (state = next),
    serve: (fetch: Fetch) => void (answer = fetch),
  };
}

/** Where the start tells what it does, and what ends it. */
type Start = { signal: AbortSignal; report: (state: string) => void };

/**
 * Resolves when the database has the schema of this version: migrates it, or with `MIGRATE=false`
 * waits until `wbs migrate` or another instance has.
 */
export async function prepareSchema(
  url: string,
  { MIGRATE }: Pick<Config, "MIGRATE">,
  log: Logger,
  { signal, report }: Start,
): Promise<void> {
  if (MIGRATE) {
    report("migrating");
    await migrate(url, log, {
      signal,
      onStep: ({ step, of }) => report(`migrating, step ${step} of ${of}`),
    });
    return;
  }
  let known = 0;
  for (;;) {
    const pending = await pendingMigrations(url);
    if (pending.length === 0) return;
    report(`MIGRATE is false, and the database is not migrated; missing: ${pending.length}`);
    if (pending.length !== known) {
      log.warn({ pending }, "MIGRATE is false, and the database is not migrated: run wbs migrate");
      known = pending.length;
    }
    await pause(lookMs, undefined, { signal });
  }
}
