import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCollector } from "../support/collector.ts";
import { freshDatabase } from "../support/database.ts";
import { freePort } from "../support/listen.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { waitUntil } from "../support/wait.ts";

const source = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const refuseSdk = source(`export const resolve = async (...call) => {
  const found = await call[2](call[0], call[1]);
  if (/tracing.sdk|@opentelemetry/.test(found.url)) throw new Error("The SDK was loaded.");
  return found;
}`);
/** The option of Node.js with which the SDK cannot be loaded. */
const withoutSdk = `--import=${source(
  `import { register } from "node:module"; register(${JSON.stringify(refuseSdk)});`,
)}`;

/** Starts the built service; `ended` has its exit code and what it said. */
async function start(env: Record<string, string>) {
  const { url: database, drop } = await freshDatabase();
  onTestFinished(drop);
  const port = await freePort();
  const child = spawn(process.execPath, [resolve("dist/main.js")], {
    cwd: await temporaryDirectory(),
    env: { PATH: process.env["PATH"], DATABASE_URL: database, PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => (said += text.toString()));
  }
  const ended = once(child, "close").then(([code]) => ({ code: Number(code), said }));
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { url, ended, ready: () => waitUntil(isReady), stop: () => child.kill("SIGTERM") };
}

test("the built service sends its traces, the last ones when it stops", async () => {
  const { url: endpoint, spans, resource } = await startCollector();
  const service = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "3600000",
  });
  await service.ready();
  const response = await fetch(`${service.url}/api/v1/health`);
  expect(response.status).toBe(200);
  service.stop();
  expect((await service.ended).code).toBe(0);
  const requestId = response.headers.get("x-request-id");
  const request = spans().find(({ name }) => name === "GET /api/v1/health");
  expect(request?.attributes["request.id"]).toBe(requestId);
  const parents = spans().filter(({ name }) => name === "health.check");
  expect(parents.map(({ parentSpanId }) => parentSpanId)).toEqual([request?.spanId]);
  expect(resource()).toMatchObject({ "service.name": "workspace-board-service" });
});

test("the built service loads the SDK only for a collector", async () => {
  const without = await start({ NODE_OPTIONS: withoutSdk });
  await without.ready();
  without.stop();
  expect((await without.ended).code).toBe(0);
  const { url: endpoint } = await startCollector();
  const env = { NODE_OPTIONS: withoutSdk, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const { ended } = await start(env);
  const { code, said } = await ended;
  expect(code).toBe(1);
  expect(said).toContain("The SDK was loaded.");
});
