import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { createDeps } from "../../../src/app/deps.ts";
import { createLogger } from "../../../src/api/request-log.ts";
import { startTracing, stopTracing } from "../../../src/platform/tracing/tracing.ts";
import { startApp } from "../../support/app.ts";
import { startCollector } from "../../support/collector.ts";
import { makeUser } from "../../support/make.ts";
import {
  allow,
  answer,
  base,
  connectApp,
  exchange,
  form,
  poll,
  refresh,
  resources,
  startDevice,
} from "./app.ts";

const key = "the key of the operator";

test("no code, token or verifier is in a line of the log, a span or a metric", async () => {
  const collector = await startCollector();
  const env = { ADMIN_KEY: key, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const app = await startApp({ env });
  onTestFinished(() => app.close());
  const lines: string[] = [];
  const log = createLogger("trace", { write: (line) => void lines.push(line) });
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" as const,
  };
  await startTracing(settings, log);
  onTestFinished(stopTracing);
  const { config, db, clock, outgoing, stopping } = app.deps;
  const set = { ...config, NODE_ENV: "production" as const, LOG_LEVEL: "trace" as const };
  const traced = createApp(await createDeps({ config: set, log, db, clock, outgoing, stopping }));
  const service = { fetch: async (request: Request) => traced.fetch(request) };
  const user = await makeUser(app);
  const secrets: unknown[] = [];

  const connected = await connectApp(service, user);
  const code = await allow(service, user);
  const { body } = await exchange(service, code);
  // Used twice, of another app, wrong, in the address and as the wrong grant: refusals tell no secrets either.
  await exchange(service, { ...code, verifier: `${code.verifier}x` });
  await exchange(service, code);
  await refresh(service, { ...connected, clientId: code.clientId });
  const { body: next } = await refresh(service, connected);
  app.advance(121_000);
  await refresh(service, connected);
  await form(service, `token?refresh_token=${connected.refreshToken}&code=${code.code}`, "{");
  await form(service, "revoke", { client_id: code.clientId, token: body.access_token });
  const headers = { Authorization: `Bearer ${next.access_token}` };
  await service.fetch(new Request(resources.mcp, { method: "POST", headers }));
  await service.fetch(new Request(`${base}/oauth/authorize?code=${code.code}`));

  const device = await startDevice(service);
  await poll(service, device);
  await answer(user, device);
  const { body: polled } = await poll(service, device);
  await poll(service, device);
  await service.fetch(new Request(`${base}/oauth/device?user_code=${device.userCode}`));
  secrets.push(connected.accessToken, connected.refreshToken, next.access_token);
  secrets.push(next.refresh_token, code.code, code.verifier, body.access_token, body.refresh_token);
  secrets.push(device.deviceCode, device.userCode, polled.access_token, polled.refresh_token);

  await stopTracing();
  const metrics = await service.fetch(
    new Request(`${base}/metrics`, { headers: { "X-Admin-Key": key } }),
  );
  const told = {
    log: lines.join(""),
    traces: collector.requests.map(({ body: sent }) => sent.toString()).join(""),
    metrics: await metrics.text(),
  };
  expect(told.log).toContain("oauth.token");
  expect(told.traces).toContain("oauth.token");
  expect(told.metrics).toContain("/oauth/token");
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w.-]{9,}$/);
    for (const [where, text] of Object.entries(told)) {
      expect(text.includes(String(secret)), `${String(secret)} in ${where}`).toBe(false);
    }
  }
});
