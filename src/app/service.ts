import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { serve, type ServerType } from "@hono/node-server";
import type { Logger } from "pino";
import { createApp } from "./http-application.ts";
import { baseUrlOf, type Config } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { startEmbedded } from "../platform/db/embedded/server.ts";
import { metricsApp } from "../api/operator/metrics-routes.ts";
import { migrate } from "../platform/db/migrate.ts";
import { createDeps } from "./deps.ts";
import { setClock } from "../kernel/events/log.ts";
import { runners } from "./jobs/runners.ts";
import { startWorkers } from "../kernel/jobs/worker.ts";
import { connectNotifiers } from "../outbound/stream/postgres-bridge.ts";
import { ownSecret } from "./secret.ts";
import { startDeliveries } from "../outbound/webhooks/worker.ts";

/** A running service: where it listens, whether its database has no user yet, and how to stop it. */
export type Service = { url: string; isNew: boolean; stop(): Promise<void> };

/** How long requests in flight have to finish after `stop`. */
const patienceMs = 10_000;
/** How often connections that have become idle are closed on the way. */
const idleMs = 50;
/** How long a connection may wait for its next request: longer than load balancers keep theirs (60 s), so that none sends one just when we close it. */
const keepAliveTimeout = 75_000;
const connections = 10;

/** Starts everything: the database (our own when no address is given), its migrations, the listener. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbedded({ dataDir: config.DATA_DIR, log })
      : undefined;
  const url = config.DATABASE_URL ?? embedded?.url ?? "";
  let stopping = false;
  // What is open by the time that something fails, and how to close it.
  const opened = [async () => embedded?.stop()];
  try {
    await migrate(url, log);
    const db = await openDatabase(url, connections, log);
    opened.push(() => db.close());
    await setClock(db.write);
    const APP_SECRET = config.APP_SECRET ?? (await ownSecret(config.DATA_DIR));
    const deps = await createDeps({
      config: { ...config, APP_SECRET },
      log,
      db,
      stopping: () => stopping,
    });
    const isNew = (await db.reader.user.count({ take: 1 })) === 0;
    const { fetch, idle } = counted(createApp(deps).fetch, () => stopping);
    const server = await listen(fetch, config);
    opened.push(() => closed(server, AbortSignal.abort()));
    const { metrics } = deps;
    const { METRICS_PORT } = config;
    const measuring =
      metrics === undefined || METRICS_PORT === undefined
        ? undefined
        : await listen(metricsApp(metrics).fetch, { ...config, PORT: METRICS_PORT });
    const workers = startWorkers(deps, config.WORKERS, runners);
    const deliveries = startDeliveries(deps, config.WORKERS === 0 ? 0 : config.WEBHOOK_CONCURRENCY);
    const wire = connectNotifiers(url, deps.notifier, log);
    return {
      url: baseUrlOf({ ...config, PORT: portOf(server) }),
      isNew,
      async stop() {
        stopping = true;
        deps.hub.release();
        // Until then it goes on listening: whoever comes now is told to go elsewhere.
        const patience = new AbortController();
        const timer = setTimeout(() => patience.abort(), patienceMs);
        const work = patient(Promise.all([workers.stop(), deliveries.stop()]));
        await idle(patience.signal);
        deps.hub.stop();
        await Promise.all(
          [server, measuring ?? []].flat().map((one) => closed(one, patience.signal)),
        );
        await work;
        await wire.stop();
        clearTimeout(timer);
        await db.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    for (const close of opened.toReversed()) await close();
    throw error;
  }
}

/** Waits for a job as long as for a request; whoever takes it over finds it when its lease ends. */
const patient = (stopped: Promise<unknown>) =>
  Promise.race([stopped, pause(patienceMs, undefined, { ref: false })]);

const portOf = (server: ServerType) => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

type Fetch = Parameters<typeof serve>[0]["fetch"];

/** Remembers the requests that came before we were asked to stop; `idle` waits until they are answered. */
function counted(fetch: Fetch, stopping: () => boolean) {
  const running = new Set<Promise<unknown>>();
  const counting: Fetch = (request, env) => {
    if (stopping()) return fetch(request, env);
    const answer = Promise.resolve(fetch(request, env));
    running.add(answer);
    return answer.finally(() => running.delete(answer));
  };
  const idle = (patience: AbortSignal) =>
    Promise.race([Promise.allSettled(running), once(patience, "abort")]);
  return { fetch: counting, idle };
}

function listen(fetch: Fetch, { HOST, PORT }: Config) {
  return new Promise<ServerType>((resolve, reject) => {
    const options = { fetch, hostname: HOST, port: PORT, serverOptions: { keepAliveTimeout } };
    const server = serve(options, () => resolve(server));
    server.once("error", reject);
  });
}

/** Stops listening and lets what is being sent arrive, but keeps no connection open for more; cuts it off when our patience ends. */
function closed(server: ServerType, patience: AbortSignal) {
  return new Promise<void>((resolve) => {
    const cut = () => {
      if ("closeAllConnections" in server) server.closeAllConnections();
    };
    // Again and again: a connection is idle only when its last answer has been sent.
    const leave = () => {
      if ("closeIdleConnections" in server) server.closeIdleConnections();
    };
    const leaving = setInterval(leave, idleMs);
    server.close(() => {
      clearInterval(leaving);
      resolve();
    });
    leave();
    if (patience.aborted) cut();
    else patience.addEventListener("abort", cut, { once: true });
  });
}
