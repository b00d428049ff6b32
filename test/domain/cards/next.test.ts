import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { listen } from "../../support/listen.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import type { Board, User, Workspace } from "../../support/make.ts";

const app = useApp({ isolated: true });
const minute = 60_000;
let workspace: Workspace;
let board: Board;
let agent: User & { memberPublicId: string };

let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  server = await listen((request) => app().fetch(request));
});
afterAll(() => server.close());

beforeEach(async () => {
  app().resetClock();
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
  agent = await join(app(), workspace, "member");
});

const next = (body: object = {}, who: User = agent) =>
  who.rest.post(`/boards/${board.publicId}/cards/next`, body);
const titleOf = async (body?: object) => (await next(body)).body.card?.title ?? null;
const add = (title: string, list = 0) => makeCard(workspace.admin, board.lists[list] ?? "", title);

test("the next card is the first ready one, claimed for the caller", async () => {
  const [archived, complete] = [await add("archived"), await add("complete")];
  await workspace.admin.rest.put(`/cards/${archived}`, { isArchived: true });
  await workspace.admin.rest.put(`/cards/${complete}`, { isComplete: true });
  await workspace.admin.rest.post(`/cards/${await add("claimed")}/claim`, {});
  const ready = await add("ready");
  const { status, body } = await next({ minutes: 5 });
  expect(status).toBe(200);
  expect(body.card).toMatchObject({
    publicId: ready,
    listPublicId: board.lists[0],
    claim: { member: { publicId: agent.memberPublicId } },
  });
  expect((await agent.rest.get(`/cards/${ready}`)).body).toEqual(body.card);
  expect(await titleOf()).toBeNull();
});

test("an expired claim makes a card ready again", async () => {
  await add("one");
  expect(await titleOf({ minutes: 1 })).toBe("one");
  expect(await titleOf()).toBeNull();
  app().advance(minute + 1);
  expect(await titleOf()).toBe("one");
});

test("filters and the order decide which card is next", async () => {
  await add("first");
  const urgent = await add("urgent");
  await workspace.admin.rest.put(`/cards/${urgent}`, { priority: "urgent" });
  const due = await add("due", 1);
  await workspace.admin.rest.put(`/cards/${due}`, { dueDate: "2031-01-01T00:00:00Z" });
  const labelled = await add("labelled", 2);
  const labelPublicId = board.labels[0];
  await workspace.admin.rest.post(`/cards/${labelled}/labels`, { labelPublicId });
  expect(await titleOf({ filter: { labels: [labelPublicId] } })).toBe("labelled");
  expect(await titleOf({ filter: { lists: [board.lists[2]] } })).toBeNull();
  expect(await titleOf({ sort: "dueDate" })).toBe("due");
  expect(await titleOf({ sort: "priority" })).toBe("urgent");
  expect(await titleOf()).toBe("first");
});

test("cards of archived lists, deleted cards and cards of other boards are not ready", async () => {
  const other = await makeBoard(workspace);
  await makeCard(workspace.admin, other.lists[0] ?? "");
  await add("in archived list", 1);
  await workspace.admin.rest.put(`/lists/${board.lists[1]}`, { isArchived: true });
  await workspace.admin.rest.delete(`/cards/${await add("deleted")}`);
  expect(await titleOf()).toBeNull();
});

test("an archived board has no next card", async () => {
  await add("left behind");
  await workspace.admin.rest.put(`/boards/${board.publicId}`, { isArchived: true });
  expect(await titleOf()).toBeNull();
  await workspace.admin.rest.put(`/boards/${board.publicId}`, { isArchived: false });
  expect(await titleOf()).toBe("left behind");
});

test("of cards that are equal to the order, the oldest is next, wherever it is", async () => {
  const [older, newer] = [await add("older", 1), await add("newer")];
  const { rest } = workspace.admin;
  const dueDate = "2031-01-01T00:00:00Z";
  for (const card of [newer, older]) await rest.put(`/cards/${card}`, { priority: "low", dueDate });
  await add("without a date");
  for (const sort of ["priority", "dueDate"]) {
    expect(
      (await rest.post(`/boards/${board.publicId}/cards/next`, { sort })).body.card,
    ).toMatchObject({ publicId: older });
    await rest.delete(`/cards/${older}/claim`);
  }
  const dated = [await titleOf({ sort: "dueDate" }), await titleOf({ sort: "dueDate" })];
  expect([...dated, await titleOf({ sort: "dueDate" })]).toEqual([
    "older",
    "newer",
    "without a date",
  ]);
});

test("a restricted board gives cards to its members only", async () => {
  await add("hidden");
  await workspace.admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  expect((await next()).status).toBe(403);
  expect((await next({}, workspace.admin)).body.card.title).toBe("hidden");
});

/** Calls over HTTP, each on a connection of its own. */
const over = async (token: string, path: string, body: object) => {
  const reply = await fetch(`${server.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as any };
};

test("16 agents that ask at once never get the same card, and drain the list", async () => {
  const count = 24;
  for (let nth = 0; nth < count; nth++) await add(`Card ${nth}`);
  const tokens = [agent.token, workspace.admin.token];
  const got: string[] = [];
  const work = async (nth: number) => {
    const token = tokens[nth % 2] ?? "";
    // A card that another call is changing is passed over: only all claimed cards end the work.
    while (got.length < count) {
      const { status, body } = await over(token, `/boards/${board.publicId}/cards/next`, {});
      expect(status).toBe(200);
      if (body.card !== null) got.push(body.card.publicId);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, nth) => work(nth)));
  expect(got.length).toBe(count);
  expect(new Set(got).size).toBe(count);
});

test("of 16 agents that claim one card at once, one holds it", async () => {
  const card = await add("wanted");
  const replies = await Promise.all(
    Array.from({ length: 16 }, () => over(agent.token, `/cards/${card}/claim`, {})),
  );
  const statuses = replies.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, ...Array.from({ length: 15 }, () => 409)]);
});
