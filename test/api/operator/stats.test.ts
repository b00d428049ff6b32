import { describe, expect, test } from "vitest";
import { storageHealth } from "../../../src/platform/storage/health.ts";
import { countAll } from "../../../src/api/operator/count.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp, type App } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { withDeps, request } from "../../domain/auth/account.ts";
import { cardRows, fill } from "../../property/rows.ts";

const key = "the key of the operator";
const app = useApp({ env: { ADMIN_KEY: key } });

const ask = (target: App, headers: Record<string, string> = {}, path = "/stats") =>
  target.call({ method: "GET", path, headers });

describe("stats.get", () => {
  test("counts live rows, over REST and tRPC", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const [list = ""] = board.lists;
    const { rest } = workspace.admin;
    const [card] = [await makeCard(workspace.admin, list), await makeCard(workspace.admin, list)];
    await rest.delete(`/cards/${card}`);
    const headers = { "X-Admin-Key": key };
    const { status, body } = await ask(app(), headers);
    expect(status).toBe(200);
    expect(body.counts).toMatchObject({ users: 1, workspaces: 1, boards: 1, lists: 3, cards: 1 });
    expect(body.estimated).toEqual([]);
    expect(body.databaseBytes).toBeGreaterThan(1_000_000);
    expect(body.pendingDeliveries).toBe(0);
    const over = await ask(app(), headers, "/trpc/stats.get");
    expect(over.body.result.data.counts).toEqual(body.counts);
  });

  test("reports the age of the oldest due job", async () => {
    const { email } = (await makeWorkspace(app())).admin;
    await app().call({ method: "POST", path: "/auth/password/reset-request", body: { email } });
    app().advance(90_000);
    const { body } = await ask(app(), { "X-Admin-Key": key });
    expect(body.queue).toEqual({ waiting: 1, lagSeconds: 90 });
    const health = await ask(app(), {}, "/health");
    expect(health.body).toMatchObject({ status: "ok", queueLagSeconds: 90 });
    app().advance(600_000);
    const late = await ask(app(), {}, "/health");
    expect(late.body).toMatchObject({ status: "degraded", queueLagSeconds: 690 });
  });

  test("rejects every credential but the admin key", async () => {
    const { admin } = await makeWorkspace(app());
    for (const headers of [{}, { "X-Admin-Key": "wrong" }, { "X-Admin-Key": `${key} x` }]) {
      const { status, body } = await admin.rest.get("/stats", { headers });
      expect({ status, code: body.code }).toEqual({ status: 401, code: "UNAUTHORIZED" });
      expect(JSON.stringify(body)).not.toContain(key);
    }
    await expect(as(app(), admin).trpc.stats.get.query()).rejects.toMatchObject({
      data: { code: "UNAUTHORIZED" },
    });
  });

  test("is 403 when ADMIN_KEY is not set", async () => {
    const { ADMIN_KEY: _, ...config } = app().deps.config;
    const call = withDeps(app(), { config });
    for (const headers of [{}, { "X-Admin-Key": "undefined" }, { "X-Admin-Key": "" }]) {
      const asked = request("GET", "/stats");
      for (const [name, value] of Object.entries(headers)) asked.headers.set(name, value);
      expect((await call(asked)).status).toBe(403);
    }
  });

  test("estimates large tables, without the trash", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace, { lists: ["One"] });
    const list = board.lists[0] ?? "";
    await fill(app(), list, 400);
    const cards = await cardRows(app(), list);
    for (const { publicId } of cards.filter((_, n) => n % 10 === 0)) {
      await workspace.admin.rest.delete(`/cards/${publicId}`);
    }
    await app().db.write(sql`ANALYZE`);
    const exact = await countAll(app().db.read);
    expect(exact.estimated).toEqual([]);
    const { counts, estimated } = await countAll(app().db.read, 100);
    expect(estimated).toEqual(["cards"]);
    const [near, estimate] = [exact.counts.get("cards") ?? 0, counts.get("cards") ?? 0];
    expect(Math.abs(estimate - near)).toBeLessThan(5);
    expect(counts.get("lists")).toBe(exact.counts.get("lists"));
  });
});

describe("too many wrong keys", () => {
  test("from one address are 429", async () => {
    const limits = { ...app().deps.limits };
    const tries: string[] = [];
    const call = withDeps(app(), {
      limits: {
        ...limits,
        async badCredential(ip) {
          tries.push(ip);
          return limits.badCredential(ip);
        },
      },
    });
    const asked = request("GET", "/stats");
    asked.headers.set("X-Admin-Key", "guess");
    expect((await call(asked)).status).toBe(401);
    expect(tries).toEqual(["local"]);
  });
});

describe("health.check", () => {
  test("reports unreachable storage, and checks it at most once a second", async () => {
    let asked = 0;
    const files = {
      ...app().deps.files,
      ping: async () => {
        asked++;
        throw new Error("no such bucket");
      },
    };
    const call = withDeps(app(), { files, storageState: storageHealth(files, app().deps.clock) });
    for (let nth = 0; nth < 3; nth++) {
      const { status, body } = await call(request("GET", "/health"));
      expect({ status, storage: body.storage, overall: body.status }).toEqual({
        status: 200,
        storage: "unreachable",
        overall: "degraded",
      });
    }
    expect(asked).toBe(1);
    app().advance(1_000);
    await call(request("GET", "/health"));
    expect(asked).toBe(2);
  });
});
