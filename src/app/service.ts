import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { createApp } from "./http-application.ts";
import { closeServer, listen, portOf, trackRequests } from "./http-server.ts";
import { baseUrlOf, type Config } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { metricsApp } from "../api/operator/metrics-routes.ts";
import { sql } from "../platform/db/sql.ts";
import { migrate } from "../platform/db/migrate.ts";
import { endParsing } from "../platform/parsing/pool.ts";
import { startDatabase } from "./database.ts";
import { createDeps, type AppDeps } from "./deps.ts";
import { sealCodes } from "../domain/members/invite-code.ts";
import { runners } from "./jobs/runners.ts";
import { startWorkers } from "../kernel/jobs/worker.ts";
import { connectNotifiers, type NotificationBridge } from "../outbound/stream/postgres-bridge.ts";
import { startDeliveries } from "../outbound/webhooks/dispatch/dispatcher.ts";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Loads the secret of the data directory, or creates it. Only its owner can read it. */
async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "app-secret");
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
  return (await readFile(file, "utf8")).trim();
}

/** A running service. `isNew` means that the database has no users. */
export type Service = { url: string; isNew: boolean; stop(): Promise<void> };

/** How long `stop` waits for requests in flight. */
const shutdownMs = 10_000;

/** Migrates the database and starts the server. A start that fails stops the database. */
export async function startService(
  config: Config,
  log: Logger,
  starting = startDatabase(config, log),
): Promise<Service> {
  const database = await starting;
  const { url } = database;
  let stopping = false;
  let bridge: NotificationBridge | undefined;
  // Closed in reverse order when the start fails.
  const opened = [() => database.stop()];
  try {
    await migrate(url, log);
    const db = await openDatabase(url, config.DATABASE_CONNECTIONS, log);
    opened.push(() => db.close(), endParsing);
    const APP_SECRET = config.APP_SECRET ?? (await loadOrCreateSecret(config.DATA_DIR));
    const complete = { ...config, APP_SECRET };
    const instances = () => 1 + (bridge?.otherInstances ?? 0);
    const dependencies = { config: complete, log, db, stopping: () => stopping, instances };
    const deps = await createDeps(dependencies);
    await sealCodes(deps);
    void warnWithoutKeys(deps);
    const isNew = (await db.read(sql`SELECT 1 FROM users LIMIT 1`)).length === 0;
    const { fetch, idle } = trackRequests(createApp(deps).fetch, () => stopping);
    const server = await listen(fetch, { ...config, baseUrl: deps.baseUrl }, log);
    opened.push(() => closeServer(server, AbortSignal.abort()));
    const measuring = await listenForMetrics(deps);
    const workers = startWorkers(deps, config.WORKERS, runners);
    const deliveries = startDeliveries(deps, config.WORKERS === 0 ? 0 : config.WEBHOOK_CONCURRENCY);
    bridge = connectNotifiers(url, deps.notifier, log);
    return {
      url: baseUrlOf({ ...config, PORT: portOf(server) }),
      isNew,
      async stop() {
        stopping = true;
        database.willStop();
        deps.hub.release();
        // The server still listens during shutdown and responds with 503.
        const deadline = new AbortController();
        const timer = setTimeout(() => deadline.abort(), shutdownMs);
        const work = waitAtMost(Promise.all([workers.stop(), deliveries.stop()]));
        await idle(deadline.signal);
        deps.hub.stop();
        await Promise.all(
          [server, measuring ?? []]
            .flat()
            .map((listening) => closeServer(listening, deadline.signal)),
        );
        await work;
        await bridge?.stop();
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
