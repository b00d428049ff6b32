import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { createLogger } from "../../../src/api/request-log.ts";
import {
  inSpan,
  openTraceId,
  startTracing,
  stopTracing,
} from "../../../src/platform/tracing/tracing.ts";
import { local, hooked } from "../../outbound/webhooks/hook.ts";
import { startApp } from "../../support/app.ts";
import { startCollector, type Collector, type ReceivedSpan } from "../../support/collector.ts";
import { deliverDue } from "../../support/deliveries.ts";
import { runDue } from "../../support/jobs.ts";
import { freePort } from "../../support/listen.ts";
import { waitUntil } from "../../support/wait.ts";

const json = "http/json";
const protobuf = "http/protobuf";
type Protocol = typeof json | typeof protobuf;

/** Starts tracing for a test; the result are the lines of its log. */
async function trace(url: string | undefined, protocol: Protocol = json) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
  await startTracing(settings, log);
  onTestFinished(stopTracing);
  return lines;
}

/** An app whose spans a collector gets. */
async function traced(env: Record<string, string> = {}) {
  const collector = await startCollector(env);
  const app = await startApp({ env: { ...local, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  onTestFinished(() => app.close());
  await trace(collector.url);
  return { app, collector };
}

/** The span with a name of a trace; there is one. */
function spanOf(spans: ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  const [span] = found;
  if (span === undefined) throw new Error(`no span ${name}`);
  return span;
}

const inTrace = (collector: Collector, traceId: string) =>
  collector.spans().filter((span) => span.traceId === traceId);

const [traceId, callerId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
const traceparent = `00-${traceId}-${callerId}-01`;

test("a request, its procedure and its statements are spans of the caller's trace", async () => {
  const { app, collector } = await traced({ OTEL_SERVICE_NAME: "boards" });
  const { workspace, one } = await hooked(app);
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const response = await createApp({ ...app.deps, log }).request("/api/v1/cards", {
    method: "POST",
    headers: {
      traceparent,
      authorization: `Bearer ${workspace.admin.token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ title: "A secret title", listPublicId: one }),
  });
  expect(response.status).toBe(200);
  const requestId = response.headers.get("x-request-id");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    requestId,
    traceId,
    operation: "card.create",
  });

  await stopTracing();
  const spans = inTrace(collector, traceId);
  const request = spanOf(spans, "POST /api/v1/cards");
  expect(request).toMatchObject({ parentSpanId: callerId, kind: 2, status: { code: 0 } });
  expect(request.attributes).toEqual({
    "request.id": requestId,
    "http.request.method": "POST",
    "http.route": "/api/v1/cards",
    "http.response.status_code": 200,
  });
  const procedure = spanOf(spans, "card.create");
  expect(procedure).toMatchObject({ parentSpanId: request.spanId, kind: 1 });
  expect(procedure.attributes).toEqual({ "request.id": requestId });
  const statements = spans.filter(({ attributes }) => "db.query.text" in attributes);
  const within = ({ spanId }: ReceivedSpan) =>
    statements.flatMap(({ name, kind, parentSpanId }) => {
      return parentSpanId === spanId ? [`${name} ${kind}`] : [];
    });
  // The caller is read before it is known that the call may run.
  expect(within(request)).toEqual(["SELECT 3"]);
  expect(within(procedure)).toEqual(expect.arrayContaining(["BEGIN 3", "INSERT 3", "COMMIT 3"]));
  expect(within(procedure).length).toBe(statements.length - 1);
  expect(JSON.stringify(collector.spans())).not.toContain("A secret title");
  expect(collector.resource()).toMatchObject({ "service.name": "boards" });
  expect(collector.requests[0]?.path).toBe("/v1/traces");
});

test("what a write wakes is not a part of its trace", async () => {
  const { app } = await traced();
  const { add } = await hooked(app);
  const traces: (string | undefined)[] = [];
  onTestFinished(app.deps.notifier.subscribe(() => void traces.push(openTraceId())));
  await add();
  expect(traces).toEqual([undefined]);
});

test("reads that travel together are each in the span of their call", async () => {
  const { app, collector } = await traced();
  const { workspace } = await hooked(app);
  const { token, publicId } = workspace.admin;
  const read = async (nth: number) => {
    const headers = {
      traceparent: traceparent.replace(/^00-./, `00-${nth}`),
      authorization: `Bearer ${token}`,
    };
    await app.fetch(new Request("http://service/api/v1/users/me", { headers }));
  };
  await Promise.all([1, 2, 3].map(read));
  await stopTracing();
  for (const nth of [1, 2, 3]) {
    const spans = inTrace(collector, `${nth}${traceId.slice(1)}`);
    const procedure = spanOf(spans, "user.me");
    const parents = spans.filter((span) => span.kind === 3).map((span) => span.parentSpanId);
    expect(new Set(parents)).toEqual(new Set([procedure.spanId]));
  }
  expect(JSON.stringify(collector.spans())).not.toContain(publicId);
});

test("a delivery and a job are traces of their own, and the receiver continues the delivery's", async () => {
  const { app, collector } = await traced();
  const { hook, add } = await hooked(app);
  hook.receiver.response((_, count) => ({ status: count === 0 ? 500 : 204 }));
  await add();
  expect(await deliverDue(app.deps)).toBe(1);
  await runDue(app.deps);
  await stopTracing();
  const [sent] = hook.receiver.deliveries;
  const delivery = spanOf(collector.spans(), "webhook delivery");
  expect(sent?.headers["traceparent"]).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
  expect(delivery).toMatchObject({ kind: 3, status: { code: 2 } });
  expect(delivery.parentSpanId ?? "").toBe("");
  expect(delivery.attributes).toEqual({
    "http.request.method": "POST",
    "http.response.status_code": 500,
    "event.id": sent?.id,
    "event.type": "card.created",
    "delivery.attempt": 1,
  });
  const jobs = collector.spans().filter(({ name }) => name.startsWith("job "));
  const job = spanOf(jobs, "job purge");
  expect(job).toMatchObject({ kind: 5, status: { code: 0 } });
  expect(job.parentSpanId ?? "").toBe("");
  expect(job.attributes).toMatchObject({ "job.kind": "purge", "job.attempt": 1 });
  const ofJob = inTrace(collector, job.traceId).filter((span) => span !== job);
  expect(ofJob.length).toBeGreaterThan(0);
  // What looks for work is in no trace.
  const roots = collector.spans().filter(({ parentSpanId = "" }) => parentSpanId === "");
  expect(roots.filter(({ attributes }) => "db.query.text" in attributes)).toEqual([]);
});

test("probes are not recorded, a refusal is no fault, and a caller can leave a trace out", async () => {
  const { app, collector } = await traced();
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.fetch(new Request(`http://service${path}`, { headers }));
  await get("/readyz");
  await get("/api/v1/boards/missing00000");
  await get("/api/v1/health", { traceparent: traceparent.replace(/01$/, "00") });
  await stopTracing();
  const names = collector.spans().map(({ name, status }) => [name, status.code]);
  expect(names).toEqual([
    ["board.get", 0],
    ["GET /api/v1/boards/:boardPublicId", 0],
  ]);
  const call = spanOf(collector.spans(), "board.get");
  expect(call.attributes["error.type"]).toBe("UNAUTHORIZED");
});

test("an error in a span is a fault, without its message", async () => {
  const collector = await startCollector();
  await trace(collector.url);
  const run = async () => {
    throw new TypeError("has a value");
  };
  await expect(inSpan({ name: "work", kind: "internal" }, run)).rejects.toThrow("has a value");
  await stopTracing();
  const span = spanOf(collector.spans(), "work");
  expect(span).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "TypeError" } });
  expect(JSON.stringify(collector.spans())).not.toContain("has a value");
});

test("the collector gets protobuf by default, with the headers of the environment", async () => {
  const collector = await startCollector({ OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret" });
  await trace(collector.url, protobuf);
  await inSpan({ name: "a piece of work", kind: "internal" }, async () => undefined);
  await stopTracing();
  const [request] = collector.requests;
  expect(request?.headers.get("content-type")).toBe("application/x-protobuf");
  expect(request?.headers.get("x-key")).toBe("secret");
  expect(request?.body.includes("a piece of work")).toBe(true);
});

test("a collector that refuses is one line in the log, and another when it accepts again", async () => {
  const collector = await startCollector({ OTEL_BSP_SCHEDULE_DELAY: "20" });
  const lines = await trace(collector.url);
  const work = () => inSpan({ name: "work", kind: "internal" }, async () => undefined);
  collector.answer(400);
  for (const count of [1, 2, 3]) {
    await work();
    await waitUntil(() => collector.requests.length >= count);
  }
  await waitUntil(() => lines.length > 0);
  collector.answer(200);
  await work();
  await waitUntil(() => lines.length > 1);
  await work();
  await stopTracing();
  expect(lines.map(({ msg }) => msg)).toEqual([
    "the collector of traces accepts none; spans are dropped until it does",
    "the collector accepts traces again",
  ]);
});

test("a collector that does not answer delays the end by seconds at most", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", url);
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "500");
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines = await trace(url);
  await inSpan({ name: "work", kind: "internal" }, async () => undefined);
  const started = performance.now();
  await stopTracing();
  // A service has ten seconds to stop.
  expect(performance.now() - started).toBeLessThan(8_000);
  await waitUntil(() => lines.length === 1);
});

test("a variable that the SDK cannot use is one line in the log", async () => {
  const collector = await startCollector({ OTEL_TRACES_SAMPLER: "most" });
  const lines = await trace(collector.url);
  expect(lines.map(({ msg }) => msg)).toEqual([
    expect.stringContaining('OTEL_TRACES_SAMPLER value "most" invalid'),
  ]);
});

test("without a collector nothing is recorded", async () => {
  await trace(undefined);
  expect(await inSpan({ name: "work", kind: "internal" }, async (span) => span)).toBeUndefined();
  expect(openTraceId()).toBeUndefined();
});
