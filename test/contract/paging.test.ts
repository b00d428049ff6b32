import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { renumber } from "../property/rows.ts";
import { useApp } from "../support/app.ts";
import { makeOperator } from "../support/operator.ts";
import { join, makeBoard, makeCard, makeWorkspace, type Workspace } from "../support/make.ts";

type Parameter = { name: string };
const document = JSON.parse(await readFile(new URL("openapi.json", import.meta.url), "utf8"));
/** Every read of the document that is paged with a cursor. */
const paged = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
  methods["get"]?.parameters?.some(({ name }: Parameter) => name === "cursor") === true
    ? [[String(methods["get"].operationId), path] as const]
    : [],
);
/** A log that goes on has its own tests; a report exists only after an import. */
const excepted = new Set([
  "workspace.events",
  "workspace.stream",
  "user.stream",
  "import.get",
  "import.people",
]);

const app = useApp();
const wide = (nth: number) => `${"漢".repeat(110)}${nth}`;
const ids: Record<string, string> = {};
let workspace: Workspace;
let list = "";

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  await makeOperator(app(), admin.publicId);
  for (let nth = 0; nth < 3; nth++) await join(app(), workspace, "member");
  const board = await makeBoard(workspace);
  await admin.rest.put(`/boards/${board.publicId}`, { name: wide(0) });
  for (let nth = 1; nth < 5; nth++) {
    const { body } = await admin.rest.post(`/workspaces/${publicId}/boards`, { name: wide(nth) });
    if (nth === 4) await admin.rest.delete(`/boards/${body.publicId}`);
    if (nth === 2) await admin.rest.put(`/boards/${body.publicId}/favourite`);
  }
  list = board.lists[0] ?? "";
  const cards: string[] = [];
  for (let nth = 0; nth < 6; nth++) cards.push(await makeCard(admin, list, wide(nth)));
  const gone = await makeCard(admin, list, wide(9));
  await admin.rest.delete(`/cards/${gone}`);
  const [card = ""] = cards;
  for (let nth = 0; nth < 4; nth++) {
    await admin.rest.post(`/cards/${card}/comments`, { comment: wide(nth) });
  }
  const { body: checklist } = await admin.rest.post(`/cards/${card}/checklists`, {
    name: "List",
    items: [1, 2, 3, 4, 5].map(wide),
  });
  const { body: me } = await admin.rest.get(`/workspaces/${publicId}/members?limit=1`);
  for (const each of cards) await admin.rest.put(`/cards/${each}/members/${me.items[0].publicId}`);
  const { body: view } = await admin.rest.post(`/workspaces/${publicId}/views`, { name: "View" });
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
    checklistPublicId: checklist.publicId,
    webhookPublicId: webhook.webhook?.publicId ?? webhook.publicId,
    viewPublicId: view.publicId,
  });
});

const keyOf = (item: { publicId?: string }) => item.publicId ?? JSON.stringify(item);

test.each(paged)("%s pages without repetition or loss, with short cursors", async (name, path) => {
  if (excepted.has(name)) return;
  const { rest } = workspace.admin;
  const url = path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "unknown12345");
  const query = name === "workspace.search" ? "query=漢&" : "";
  const { status, body } = await rest.get(`${url}?${query}limit=100`);
  expect(status).toBe(200);
  const all: string[] = body.items.map(keyOf);
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; page < all.length + 10; page++) {
    const reply = await rest.get(`${url}?${query}limit=1${cursor}`);
    expect(reply.status).toBe(200);
    seen.push(...reply.body.items.map(keyOf));
    const next = reply.body.nextCursor;
    if (next === null) break;
    expect(next.length).toBeLessThanOrEqual(200);
    cursor = `&cursor=${encodeURIComponent(next)}`;
    if (page === 0) await makeCard(workspace.admin, list, "Another");
    await renumber(app(), list);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(all));
});

test.each(paged)("%s answers 304 to a client that has the page", async (name, path) => {
  if (excepted.has(name)) return;
  const { rest } = workspace.admin;
  const url = path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "unknown12345");
  const query = name === "workspace.search" ? "query=漢&" : "";
  const first = await rest.get(`${url}?${query}limit=1`);
  const known = { "If-None-Match": first.headers.get("etag") ?? "" };
  expect((await rest.get(`${url}?${query}limit=1`, { headers: known })).status).toBe(304);
});

test("board.cards pages in every order", async () => {
  const { rest } = workspace.admin;
  const url = `/boards/${ids["boardPublicId"]}/cards`;
  for (const sort of ["position", "dueDate", "createdAt", "updatedAt"]) {
    const { body } = await rest.get(`${url}?sort=${sort}&limit=100`);
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const reply = await rest.get(`${url}?sort=${sort}&limit=1${cursor}`);
      seen.push(...reply.body.items.map(keyOf));
      if (reply.body.nextCursor === null) break;
      expect(reply.body.nextCursor.length).toBeLessThanOrEqual(200);
      cursor = `&cursor=${encodeURIComponent(reply.body.nextCursor)}`;
      await renumber(app(), list);
    }
    expect(seen).toEqual(body.items.map(keyOf));
  }
});
