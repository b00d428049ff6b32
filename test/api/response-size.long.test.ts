import { readFile, rm } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { scratchDirectory } from "../../src/platform/db/scratch.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { Server } from "../bench/servers.ts";
import { startOffline } from "../fuzz/service.ts";
import { appSecret, useApp } from "../support/app.ts";
import { atThisPace } from "../support/pace.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../support/make.ts";
import { fill } from "../transfer/exports/many.ts";
import { fillToLimits } from "./limits.ts";
import type { Operation } from "../../src/contract/policy.ts";
import { maxBatchBytes } from "../../src/kernel/request/http-batch.ts";
import { operations, routeOf } from "../kernel/access/call.ts";

// Every read of the document, at the documented limits, stays below one bound.
const maxBytes = 16 * 1024 * 1024;

const document = JSON.parse(
  await readFile(new URL("../contract/openapi.json", import.meta.url), "utf8"),
);
const reads = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
  // Operators read their own pages of small items.
  methods["get"] === undefined || methods["get"]["x-required-permission"] === "operator"
    ? []
    : [{ path, operation: methods["get"] }],
);
/** Bytes that are streamed or made by others. */
const excepted = new Set([
  "attachment.download",
  "attachment.file",
  "board.exportCsv",
  "workspace.export",
  "workspace.snapshot",
  "workspace.stream",
  "user.stream",
  "integration.authorize",
  "integration.callback",
  "signIn.callback",
  "integration.githubProjects",
  "import.trelloBoards",
]);

const app = useApp({ isolated: true });
let workspace: Workspace;
const ids: Record<string, string> = {};

/** A board and a card at the limits, with the longest texts; the API could make the same. */
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const { admin, publicId, slug } = workspace;
  const board = await makeBoard(workspace, { labels: 30 });
  for (let nth = 0; nth < 20; nth++) {
    const label = { name: `${nth} ${"漢".repeat(30)}`, colourCode: "#336699" };
    await admin.rest.post("/labels", { boardPublicId: board.publicId, ...label });
  }
  await admin.rest.put(`/boards/${board.publicId}`, { visibility: "public" });
  const { body } = await admin.rest.get(`/boards/${board.publicId}`);
  const [list = "", other = ""] = board.lists;
  const card = await makeCard(admin, other);
  await fill(app(), list, { cards: 8_000, comments: 1 });
  const { body: checklist } = await admin.rest.post(`/cards/${card}/checklists`, { name: "Big" });
  const { body: webhook } = await admin.rest.post(`/workspaces/${publicId}/webhooks`, {
    name: "Hook",
    url: "https://93.184.215.14/",
    events: ["card.*"],
  });
  Object.assign(ids, {
    workspacePublicId: publicId,
    boardPublicId: board.publicId,
    listPublicId: list,
    cardPublicId: card,
    labelPublicId: board.labels[0],
    checklistPublicId: checklist.publicId,
    webhookPublicId: webhook.webhook?.publicId ?? webhook.publicId,
    workspaceSlug: slug,
    boardSlug: body.slug,
    cardNumber: "1",
  });
  await fillToLimits(app(), board.publicId, card);
});

describe("an answer at the limits is bounded", () => {
  test.each(reads.map((read) => [String(read.operation.operationId), read] as const))(
    "%s",
    async (name, { path, operation }) => {
      if (excepted.has(name)) return;
      const missing = [...path.matchAll(/\{(\w+)\}/g)].filter(([, id = ""]) => !(id in ids));
      const url = path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "unknown12345");
      const named = (query: string) =>
        operation.parameters?.some((parameter: { name: string }) => parameter.name === query);
      const query = [
        ...(named("limit") ? ["limit=100"] : []),
        ...(named("cardLimit") && name === "board.getBySlug" ? ["cardLimit=200"] : []),
        ...(named("query") ? ["query=Card"] : []),
        ...(named("groupBy") ? ["groupBy=label"] : []),
        ...(name === "workspace.checkSlugAvailability" ? ["slug=abc"] : []),
        ...(name === "board.checkSlugAvailability" ? ["slug=abc"] : []),
      ].join("&");
      const reply = await workspace.admin.rest.get(`${url}?${query}`);
      expect(reply.status).toBe(missing.length === 0 ? 200 : 404);
      expect(Buffer.byteLength(JSON.stringify(reply.body))).toBeLessThan(maxBytes);
    },
  );
});

describe("an HTTP batch of reads at the limits has a bounded answer and leaves the event loop free", () => {
  /** The CPU time of the longest iteration of the event loop, in ms. */
  const longest = 100;
  const sized = reads
    .filter(({ path }) => !path.includes("{attachmentPublicId}"))
    .map(({ operation }) => operation.operationId as Operation)
    .filter((name) => !excepted.has(name));
  const json = operations.filter((name) => {
    const { options, definition } = routeOf(name);
    return definition.type === "query" && options.response === undefined;
  });
  let server: Server;
  beforeAll(async () => {
    // History of all cards; it has fewer fields than events of the API.
    await fill(app(), ids["listPublicId"] ?? "", { cards: 0, events: 1 });
    const cwd = await scratchDirectory();
    server = await startOffline({ databaseUrl: app().url, secret: appSecret, cwd });
    await getFrom("/api/v1/users/me");
    return async () => {
      await server.stop();
      await rm(cwd, { recursive: true, force: true });
    };
  });

  async function getFrom(path: string): Promise<string> {
    const headers = { Authorization: `Bearer ${workspace.admin.token}` };
    return (await fetch(server.origin + path, { headers })).text();
  }

  test.each([...new Set([...sized, ...json])])("%s", async (name) => {
    const { shape } = routeOf(name).schema;
    const known = { ...ids, limit: 100, cardLimit: 200, query: "Card", slug: "abc" };
    const input = Object.fromEntries(Object.entries(known).filter(([field]) => field in shape));
    const calls = Array.from({ length: 50 }, (_, nth) => [nth, input] as const);
    const inputs = encodeURIComponent(JSON.stringify(Object.fromEntries(calls)));
    const names = calls.map(() => name).join();
    const path = `/trpc/${names}?batch=1&input=${inputs}`;
    // Code that is compiled now holds the loop once; what a batch needs holds it each time.
    const [tries, limit] = json.includes(name) ? [3, atThisPace(longest)] : [1, 0];
    let [text, least] = ["", Infinity];
    for (let nth = 0; nth < tries && least > limit; nth++) {
      await server.stall();
      text = await getFrom(path);
      least = Math.min(least, (await server.stall()).ms);
    }
    if (json.includes(name)) expect(least).toBeLessThanOrEqual(atThisPace(longest));
    if (!sized.includes(name)) return;
    expect(JSON.parse(text).length).toBe(50);
    expect(Buffer.byteLength(text)).toBeLessThan(maxBatchBytes + maxBytes);
  });

  test("more than thirty reads answer JSON", () => {
    expect(json.length).toBeGreaterThan(30);
  });
});

test("a card at the limits names all its checklists, and pages have all their items", async () => {
  const { rest } = workspace.admin;
  const path = `/cards/${ids["cardPublicId"]}`;
  const { body } = await rest.get(path);
  expect(body.checklists.length).toBe(50);
  const counts = body.checklists.map((one: { itemCount: number }) => one.itemCount);
  expect(counts).toEqual(Array.from({ length: 50 }, () => 500));
  const last = body.checklists.at(-1);
  expect(last.items).toEqual([]);
  const seen = new Set<string>();
  for (let cursor = ""; ;) {
    const page = await rest.get(`${path}/checklists/${last.publicId}/items?limit=100${cursor}`);
    for (const { publicId } of page.body.items) seen.add(publicId);
    if (page.body.nextCursor === null) break;
    cursor = `&cursor=${page.body.nextCursor}`;
  }
  expect(seen.size).toBe(500);
});

test("a large answer is not stored with an Idempotency-Key; its replay says so", async () => {
  const once = () =>
    app().call({
      method: "POST",
      path: `/boards/${ids["boardPublicId"]}/restore`,
      token: workspace.admin.token,
      headers: { "Idempotency-Key": "large" },
    });
  // On a busy machine a statement on a board at the limits may take too long: a client repeats it.
  const call = async () => {
    let response = await once();
    for (let more = 5; response.status === 503 && more > 0; more--) response = await once();
    return response;
  };
  expect((await call()).status).toBe(200);
  expect(await call()).toMatchObject({
    status: 409,
    body: { issues: [{ code: "answer_not_stored" }] },
  });
  const [row] = await app().db.read<{ bytes: number }>(
    sql`SELECT max(octet_length(response)) AS bytes FROM idempotency_keys`,
  );
  expect(row?.bytes).toBeLessThan(512 * 1024);
});
