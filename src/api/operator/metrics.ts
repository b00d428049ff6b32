import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Deps } from "../../kernel/request/deps.ts";
import { readBacklog } from "../../kernel/jobs/lag.ts";

/** The Prometheus metrics of this process. No label contains a value from a client. */
export type Metrics = {
  /** Counts a request. Call the returned function when the response starts. */
  request(): (method: string, route: string, status: number) => void;
  /** Returns all metrics as text, with the content type. */
  read(): Promise<{ text: string; contentType: string }>;
};

type MetricsSource = Pick<Deps, "db" | "clock" | "log" | "responses" | "files">;

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);

/** Creates the metrics. The database is queried when they are read. */
export function createMetrics(deps: MetricsSource): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time until the response started, in seconds.",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = gauge("http_requests_in_flight", "Requests in flight.");
  const connections = new Gauge({
    name: "db_connections",
    help: "Database connections of this process.",
    labelNames: ["state"],
    registers,
  });
  const waiting = gauge("db_connections_waiting", "Calls waiting for a database connection.");
  const up = gauge("db_up", "1 when the database is reachable.");
  const due = gauge("jobs_waiting", "Jobs that are due, in all processes.");
  const lag = gauge("jobs_lag_seconds", "Age of the oldest due job, in seconds.");
  const cache = gauge("cache_bytes", "Bytes of cached answers.");
  const free = gauge("storage_free_bytes", "Free bytes of the disk with the files.");
  countReads(deps, registry);
  const pending = gauge("webhook_deliveries_pending", "Webhook deliveries that are pending.");

  const refresh = async () => {
    const { open, idle, waiting: calls } = deps.db.connections();
    connections.set({ state: "busy" }, open - idle);
    connections.set({ state: "idle" }, idle);
    waiting.set(calls);
    cache.set(deps.responses.bytes);
    free.set((await deps.files.freeBytes?.().catch(() => undefined)) ?? Number.NaN);
    const backlog = await readBacklog(deps.db.read, deps.clock()).catch((error: unknown) => {
      deps.log.warn({ err: error }, "could not read the database metrics");
    });
    up.set(backlog === undefined ? 0 : 1);
    due.set(backlog?.waiting ?? Number.NaN);
    lag.set(backlog?.lagSeconds ?? Number.NaN);
    pending.set(backlog?.pendingDeliveries ?? Number.NaN);
  };
  return {
    request() {
      inFlight.inc();
      const started = performance.now();
      return (method, route, status) => {
        inFlight.dec();
        const label = methods.has(method) ? method : "other";
        durations.observe({ method: label, route, status }, (performance.now() - started) / 1000);
      };
    },
    async read() {
      await refresh();
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}

/** Counts cache hits and misses. */
function countReads({ responses }: Pick<Deps, "responses">, registry: Registry): void {
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter("cache_hits_total", "Reads answered from memory.", () => responses.counts.hits);
  counter("cache_misses_total", "Reads without a cached answer.", () => responses.counts.misses);
}
