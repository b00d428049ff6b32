import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Deps } from "../../kernel/request/deps.ts";
import { readBacklog } from "../../kernel/jobs/lag.ts";

/** What this process measures, as Prometheus reads it. No label has a value that a client chooses. */
export type Metrics = {
  /** A request has come; what is answered is called when it has been answered, with the pattern of its path. */
  request(): (method: string, route: string, status: number) => void;
  /** The text of all metrics, with its content type. */
  read(): Promise<{ text: string; contentType: string }>;
};

type Measured = Pick<Deps, "db" | "clock" | "log">;

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);

/** Starts to measure; what the database knows is asked for when the metrics are read. */
export function createMetrics(deps: Measured): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "How long requests took until their answer began.",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = gauge("http_requests_in_flight", "Requests that have not been answered yet.");
  const connections = new Gauge({
    name: "db_connections",
    help: "Connections of this process to the database.",
    labelNames: ["state"],
    registers,
  });
  const waiting = gauge("db_connections_waiting", "Calls that wait for a connection.");
  const up = gauge("db_up", "1 when the database answers.");
  const due = gauge("jobs_waiting", "Jobs of all processes that are due.");
  const lag = gauge("jobs_lag_seconds", "For how long the first job that is due has been.");
  const pending = gauge("webhook_deliveries_pending", "Deliveries that are on their way.");

  const ask = async () => {
    const { open, idle, waiting: calls } = deps.db.connections();
    connections.set({ state: "busy" }, open - idle);
    connections.set({ state: "idle" }, idle);
    waiting.set(calls);
    const backlog = await readBacklog(deps.db.read, deps.clock()).catch((error: unknown) => {
      deps.log.warn({ err: error }, "the metrics of the database could not be read");
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
        const known = methods.has(method) ? method : "other";
        durations.observe({ method: known, route, status }, (performance.now() - started) / 1000);
      };
    },
    async read() {
      await ask();
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}
