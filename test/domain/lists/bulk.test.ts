import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { fill } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { sql } from "../../../src/platform/db/sql.ts";

const app = useApp();

let statements = 0;
const { prototype } = pg.Client;
const query = Reflect.get(prototype, "query");
Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
  statements++;
  return Reflect.apply(query, this, values);
});
afterAll(() => Reflect.set(prototype, "query", query));

const move = (user: As, from: string, targetListPublicId: string) =>
  user.rest.post(`/lists/${from}/move-cards`, { targetListPublicId });

async function titlesOf(user: As, list: string): Promise<string[]> {
  const { body } = await user.rest.get(`/lists/${list}/cards?limit=100`);
  return body.items.map(({ title }: { title: string }) => title);
}

test("list.moveCards appends all cards to the target in order, with one event per card", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [one = "", two = ""] = (await makeBoard(workspace)).lists;
  for (const title of ["A", "B", "archived", "C"]) {
    const card = await makeCard(admin, one, title);
    if (title === "archived") await admin.rest.put(`/cards/${card}`, { isArchived: true });
  }
  await makeCard(admin, two, "X");
  expect(await move(admin, one, two)).toMatchObject({ status: 200, body: { moved: 3 } });
  expect(await titlesOf(admin, two)).toEqual(["X", "A", "B", "C"]);
  expect(await titlesOf(admin, one)).toEqual([]);
  const events = await eventsIn(app(), workspace.publicId, "card.moved");
  expect(events.map(({ data }) => data)).toMatchObject(
    ["A", "B", "C"].map((title, nth) => ({
      card: { title },
      from: { listPublicId: one },
      to: { listPublicId: two, index: nth + 1 },
    })),
  );
  const again = await admin.trpc.list.moveCards.mutate({
    listPublicId: one,
    targetListPublicId: two,
  });
  expect(again).toEqual({ moved: 0 });
  expect(await eventsIn(app(), workspace.publicId, "card.moved")).toHaveLength(3);
});

test("list.moveCards to another board makes the labels that are missing there, once", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const here = await makeBoard(workspace, { labels: 2 });
  const there = await makeBoard(workspace, { labels: 1 });
  const [list = ""] = here.lists;
  const cards = [await makeCard(admin, list, "A"), await makeCard(admin, list, "B")];
  for (const card of cards) {
    for (const label of here.labels) await admin.rest.put(`/cards/${card}/labels/${label}`);
  }
  expect((await move(admin, list, there.lists[0] ?? "")).body).toEqual({ moved: 2 });
  const { body: labels } = await admin.rest.get(`/boards/${there.publicId}/labels`);
  expect(labels).toHaveLength(2);
  expect(labels[0].publicId).toBe(there.labels[0]);
  for (const card of cards) {
    const { body } = await admin.rest.get(`/cards/${card}`);
    expect(body).toMatchObject({ boardPublicId: there.publicId, labels });
  }
  // A card in an event has labels that the board has already.
  const { body: log } = await admin.rest.get(`/workspaces/${workspace.publicId}/events?limit=100`);
  const types = log.items.map(({ type }: { type: string }) => type).slice(-3);
  expect(types).toEqual(["label.created", "card.moved", "card.moved"]);
});

test("list.moveCards refuses itself, a list of another workspace, and a board that the caller may not see", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  const { lists } = await makeBoard(workspace);
  const hidden = await makeBoard(workspace);
  await workspace.admin.rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  const foreign = await makeBoard(await makeWorkspace(app()));
  const [one = "", two = ""] = lists;
  await makeCard(member, one);
  expect((await move(member, one, one)).status).toBe(409);
  expect((await move(member, one, foreign.lists[0] ?? "")).status).toBe(404);
  expect((await move(member, one, hidden.lists[0] ?? "")).status).toBe(404);
  await workspace.admin.rest.delete(`/lists/${two}`);
  expect((await move(member, one, two)).status).toBe(404);
  const guest = await join(app(), workspace, "guest");
  expect((await move(guest, one, lists[2] ?? "")).status).toBe(403);
});

test("list.moveCards and list.sort run as few statements for 400 cards as for 4, and lose no concurrent card", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const here = await makeBoard(workspace);
  const there = await makeBoard(workspace);
  const [one = ""] = here.lists;
  const [far = ""] = there.lists;
  const cost = async (run: () => Promise<{ status: number }>) => {
    const before = statements;
    expect((await run()).status).toBe(200);
    return statements - before;
  };
  const costs = async () => [
    await cost(() => admin.rest.post(`/lists/${one}/sort`, { by: "title", order: "desc" })),
    await cost(() => move(admin, one, far)),
    await cost(() => move(admin, far, one)),
  ];
  await fill(app(), one, 4);
  await admin.rest.put(`/cards/${await makeCard(admin, one)}/labels/${here.labels[0]}`);
  const few = await costs();
  await fill(app(), one, 396);
  // The service may send a statement of its own meanwhile.
  for (const [nth, count] of (await costs()).entries()) {
    expect(count).toBeLessThanOrEqual((few[nth] ?? 0) + 5);
  }

  const before = (await app().db.reader.card.count({ where: { deletedAt: null } })) + 4;
  const [a = "", b = ""] = here.lists.slice(1);
  const writes = [
    ...[1, 2, 3, 4].map(() => admin.rest.post("/cards", { title: "New", listPublicId: one })),
    move(admin, one, a),
    move(admin, a, b),
    move(admin, b, a),
    admin.rest.post(`/lists/${one}/sort`, { by: "createdAt", order: "desc" }),
  ];
  for (const { status } of await Promise.all(writes)) expect(status).toBe(200);
  expect(await app().db.reader.card.count({ where: { deletedAt: null } })).toBe(before);
  const twice = sql`SELECT 1 FROM cards WHERE "deletedAt" IS NULL
    GROUP BY "listId", position HAVING count(*) > 1`;
  expect(await app().db.read(twice)).toEqual([]);
});

test("list.sort sorts by title, due date or creation, ascending or descending, once", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const dues = {
    "Task 10": "2026-03-01T00:00:00Z",
    "task 9": null,
    "Task 2": "2026-02-01T00:00:00Z",
  };
  for (const [title, dueDate] of Object.entries(dues)) {
    app().advance(1000);
    await admin.rest.post("/cards", { title, listPublicId: list, dueDate });
  }
  const sorted = async (by: "title" | "dueDate" | "createdAt", order?: "asc" | "desc") => {
    const body = order === undefined ? { by } : { by, order };
    expect((await admin.rest.post(`/lists/${list}/sort`, body)).body).toMatchObject({
      success: true,
      publicId: list,
    });
    return titlesOf(admin, list);
  };
  expect(await sorted("title")).toEqual(["Task 2", "task 9", "Task 10"]);
  expect(await sorted("dueDate")).toEqual(["Task 2", "Task 10", "task 9"]);
  expect(await sorted("dueDate", "desc")).toEqual(["Task 10", "Task 2", "task 9"]);
  expect(await sorted("createdAt", "desc")).toEqual(["Task 2", "task 9", "Task 10"]);
  expect(await sorted("title")).toEqual(["Task 2", "task 9", "Task 10"]);
  expect(await eventsIn(app(), workspace.publicId, "list.sorted")).toHaveLength(4);
  expect((await admin.rest.post(`/lists/${list}/sort`, { by: "colour" })).status).toBe(400);
});
