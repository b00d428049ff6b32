import { describe, expect, test } from "vitest";
import { metricsApp } from "../../../src/api/operator/metrics-routes.ts";
import { createMetrics } from "../../../src/api/operator/metrics.ts";
import { startApp, useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const key = "the key of the operator";
const app = useApp({ env: { ADMIN_KEY: key } });

async function scrape(headers: Record<string, string> = { "X-Admin-Key": key }) {
  const response = await app().fetch(new Request("http://service/metrics", { headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The samples of a metric by label. */
function samples(text: string, name: string): Map<string, number> {
  const lines = [...text.matchAll(/^(\w+)(\{[^}]*\})? (\S+)$/gm)];
  return new Map(
    lines.flatMap(([, metric, labels = "", value]) =>
      metric === name ? [[labels, Number(value)] as const] : [],
    ),
  );
}

describe("/metrics", () => {
  test("measures requests by the pattern of their path, never by the path", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const board = await makeBoard(workspace);
    const card = await makeCard(admin, board.lists[0] ?? "");
    await admin.rest.get(`/cards/${card}`);
    await admin.rest.get(`/cards/${card}`);
    await admin.rest.get("/cards/no-such-card-1");
    await admin.rest.get("/no/such/path/canary");
    await app().call({ method: "POST", path: `/cards/${card}` });
    await app().call({ method: "GET", path: "/trpc/user.me", token: admin.token });
    await app().call({ method: "GET", path: "/trpc/canary.get", token: admin.token });
    const { status, text, headers } = await scrape();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    const counts = samples(text, "http_request_duration_seconds_count");
    const card_ = `route="/api/v1/cards/:cardPublicId"`;
    expect(counts.get(`{method="GET",${card_},status="200"}`)).toBe(2);
    expect(counts.get(`{method="GET",${card_},status="404"}`)).toBe(1);
    expect(counts.get(`{method="POST",${card_},status="405"}`)).toBe(1);
    expect(counts.get(`{method="GET",route="/trpc/user.me",status="200"}`)).toBe(1);
    expect(counts.get(`{method="GET",route="/trpc/*",status="404"}`)).toBe(1);
    for (const chosen of [card, "canary", "no-such-card"]) expect(text).not.toContain(chosen);
  });

  test("reports the process, the pool, the queue and the deliveries", async () => {
    const { text } = await scrape();
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "nodejs_eventloop_lag_seconds",
      "nodejs_heap_size_used_bytes",
      "http_requests_in_flight",
      "db_connections_waiting",
      "jobs_waiting",
      "jobs_lag_seconds",
      "webhook_deliveries_pending",
    ]) {
      expect(samples(text, name).get(""), name).toBeGreaterThanOrEqual(0);
    }
    expect(samples(text, "db_up").get("")).toBe(1);
    const pool = samples(text, "db_connections");
    expect([...pool.keys()]).toEqual([`{state="busy"}`, `{state="idle"}`]);
    // The request for the metrics.
    expect(samples(text, "http_requests_in_flight").get("")).toBe(1);
  });

  test("requires the admin key in either header, and is 404 without ADMIN_KEY", async () => {
    expect((await scrape({ Authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await scrape({})).status).toBe(401);
    expect((await scrape({ "X-Admin-Key": "wrong" })).status).toBe(401);
    const { admin } = await makeWorkspace(app());
    expect((await scrape({ Authorization: `Bearer ${admin.token}` })).status).toBe(401);
    const without = await startApp();
    const { status } = await without.fetch(new Request("http://service/metrics"));
    await without.close();
    expect(status).toBe(404);
  });

  test("is open on its own port, which serves nothing else", async () => {
    const own = metricsApp(createMetrics(app().deps), app().deps);
    expect((await own.request("/metrics")).status).toBe(200);
    const other = await own.request("/api/v1/health");
    expect(other.status).toBe(404);
    expect(await other.json()).toMatchObject({ code: "NOT_FOUND" });
  });

  test("is readable while the database is down, and reports that", async () => {
    const metrics = createMetrics({
      ...app().deps,
      log: app().deps.log.child({}, { level: "silent" }),
      db: { ...app().db, read: () => Promise.reject(new Error("away")) },
    });
    const { text } = await metrics.read();
    expect(samples(text, "db_up").get("")).toBe(0);
    expect(text).toContain("jobs_waiting Nan");
  });
});
