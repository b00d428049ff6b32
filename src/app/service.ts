import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { createApp } from "./http-application.ts";
import { closeServer, listen, portOf, trackRequests } from "./http-server.ts";
import { baseUrlOf, type Config } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { metricsApp } from "../api/operator/metrics-routes.ts";
import { sql } from "../platform/db/sql.ts";
import { endParsing } from "../platform/parsing/pool.ts";
import { startDatabase, stopDatabase } from "./database.ts";
import { drainOf } from "./drain.ts";
import { listenWhileStarting, prepareSchema } from "./starting.ts";
import { createDeps, type AppDeps } from "./deps.ts";
import { refusingApp } from "./refusing-app.ts";
import { hasSecretOf, withSecret, wrongSecret } from "./secret.ts";
import type { Stopping } from "../kernel/request/deps.ts";
import { sealCodes } from "../domain/members/invite-code.ts";
import { runners } from "./jobs/runners.ts";
import { startWorkers } from "../kernel/jobs/worker.ts";
import { connectNotifiers } from "../outbound/stream/postgres-bridge.ts";
import { startDeliveries } from "../outbound/webhooks/dispatch/dispatcher.ts";

/** A running service. `isNew` means that the database has no users. */
export type Service = { url: string; isNew: boolean; stop(): Promise<void> };

/** How long `stop` waits for requests in flight. */
const shutdownMs = 10_000;

/**
 * Starts the server, migrates the database, and then serves calls: until then it answers 503. A
 * start that fails, or is aborted by `signal`, stops the database.
 */
export async function startService(
  config: Config,
  log: Logger,
  starting = startDatabase(config, log),
  signal: AbortSignal = new AbortController().signal,
): Promise<Service> {
  let stopping: Stopping = false;
  // Closed in reverse order when the start fails.
  const opened = [() => stopDatabase(starting)];
  try {
    const { server, report, serve } = await listenWhileStarting(config, log);
    opened.push(() => closeServer(server, AbortSignal.abort()));
    const drain = drainOf(server, config);
    const database = await starting;
    const { url } = database;
    await prepareSchema(url, config, log, { signal, report });
    const db = await openDatabase(url, config.DATABASE_CONNECTIONS, log);
    opened.push(() => db.close(), endParsing);
    const complete = await withSecret(config);
    const deps = await createDeps({ config: complete, log, db, stopping: () => stopping });
    const hasSecret = await hasSecretOf(deps);
    if (hasSecret) await sealCodes(deps);
    void warnWithoutKeys(deps);
    const isNew = (await db.read(sql`SELECT 1 FROM users LIMIT 1`)).length === 0;
    const app = hasSecret ? createApp(deps) : refusingApp(deps, wrongSecret);
    const { fetch, idle } = trackRequests(app.fetch, () => stopping === "refusing");
    const servers = [server, (await listenForMetrics(deps)) ?? []].flat();
    const workerCount = hasSecret ? config.WORKERS : 0;
    const workers = startWorkers(deps, workerCount, runners);
    const deliveries = startDeliveries(deps, workerCount === 0 ? 0 : config.WEBHOOK_CONCURRENCY);
    const bridge = connectNotifiers(url, deps.notifier, log);
    serve(fetch);
    return {
      url: baseUrlOf({ ...config, PORT: portOf(server) }),
      isNew,
      async stop() {
        stopping = "serving";
        await drain();
        stopping = "refusing";
        database.willStop();
        deps.hub.release();
        // The server still listens during shutdown and responds with 503.
        const deadline = new AbortController();
        const timer = setTimeout(() => deadline.abort(), shutdownMs);
        const work = waitAtMost(Promise.all([workers.stop(), deliveries.stop()]));
        await idle(deadline.signal);
        deps.hub.stop();
        await Promise.all(servers.map((each) => closeServer(each, deadline.signal)));
        await work;
        await bridge.stop();
        clearTimeout(timer);
        await Promise.all([endParsing(), db.close()]);
        await database.stop();
      },
    };
  } catch (error) {
    for (const close of opened.toReversed()) await close();
    throw error;
  }
}

/** Serves metrics on a port of their own, if there is one. */
async function listenForMetrics({ metrics, config, log, baseUrl }: AppDeps) {
  const { METRICS_PORT: PORT } = config;
  if (metrics === undefined || PORT === undefined) return undefined;
  return listen(metricsApp(metrics, { log, baseUrl }).fetch, { ...config, PORT, baseUrl }, log);
}

/** An issuer that does not answer at start is often a wrong address. */
const warnWithoutKeys = async ({ issuer, config, log }: AppDeps) =>
  issuer?.load().catch((error: unknown) => {
    log.warn({ err: error, issuer: config.OIDC_ISSUER }, "the issuer's keys are unavailable");
  });

/** Waits for the workers up to `shutdownMs`. Another process takes over when their leases end. */
const waitAtMost = (stopped: Promise<unknown>) =>
  Promise.race([stopped, pause(shutdownMs, undefined, { ref: false })]);
