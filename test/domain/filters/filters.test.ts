import { beforeAll, expect, test } from "vitest";
import { passesFilter } from "../../../src/contract/filter/evaluate.ts";
import { keyNames } from "../../../src/contract/filter/sort.ts";
import type { FilterTree } from "../../../src/contract/filter/tree.ts";
import { useApp } from "../../support/app.ts";
import fc from "../../support/fast-check.ts";
import { signedIn, type As } from "../../support/as.ts";
import { join, makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { treeOf, type Values } from "./arbitrary.ts";
import { everyPage } from "./every-page.ts";

const app = useApp({ isolated: true });
/** Two days before the clocks change in Europe. */
const now = "2041-03-29T21:30:00.000Z";
const runs = Number(process.env["FILTER_RUNS"] ?? 25);
let workspace: Workspace;
let board: Board;
let other: Awaited<ReturnType<typeof join>>;
let me: string;
let admin: As;
type Card = Record<string, any>;
let cards: Card[];
let values: Values;

const titles = [
  "Plan",
  "plan B",
  "50% off",
  "a_b",
  "ÄRGER über Œuvre",
  "ПЛАН",
  "ΣΊΣΥΦΟΣ",
  "'; --",
  "Don\u2019t co\u00adop\u200berate ❤️",
];
const texts = [
  "a",
  "PLAN",
  "%",
  "_",
  "ä",
  "A\u0308",
  "план",
  "σ",
  "\\",
  "'",
  "0",
  "-1",
  ".*",
  "don't",
  "\u2018t",
  "Coop",
  "o\u2060p",
  "❤",
];

const cardsOf = (rest: As["rest"], query: object) =>
  everyPage({ rest }, board.publicId, { limit: 7, archived: true, ...query });

beforeAll(async () => {
  app().advance(Date.parse(now) - app().deps.clock().getTime());
  workspace = await makeWorkspace(app());
  admin = workspace.admin;
  other = await join(app(), workspace, "member");
  me = (await admin.rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
  board = await makeBoard(workspace, { lists: ["One", "Two", "Three"], labels: 3 });
  const members = [me, other.memberPublicId];
  const pick = <Item>(items: readonly Item[], nth: number) => items[nth % items.length] as Item;
  for (let nth = 0; nth < 32; nth++) {
    const hours = (nth * 7) % 120;
    const due = new Date(Date.parse("2041-03-28T21:00Z") + hours * 3_600_000).toISOString();
    const { body } = await admin.rest.post("/cards", {
      title: pick(titles, nth),
      listPublicId: pick(board.lists, nth),
      description: nth % 4 === 0 ? `About ${pick(titles, nth + 1)}` : nth % 4 === 1 ? "" : null,
      dueDate: nth % 3 === 0 ? null : pick([due, "0001-01-01T00:00:00.000Z", due, due], nth),
      startDate: nth % 5 === 0 ? "9999-12-31T23:59:59.999Z" : null,
      priority: pick(["none", "low", "medium", "high", "urgent"], nth * 3),
      labelPublicIds: board.labels.slice(0, nth % 4),
      memberPublicIds: members.slice(nth % 3),
    });
    const path = `/cards/${body.publicId}`;
    if (nth % 6 === 0) await admin.rest.put(path, { isComplete: true });
    if (nth % 7 === 0) await admin.rest.put(path, { isArchived: true });
    if (nth % 8 === 0) await pick([admin, other], nth / 8).rest.post(`${path}/claim`, {});
    if (nth % 9 === 0) await admin.rest.post(`${path}/comments`, { comment: "One" });
    if (nth % 10 === 0)
      await admin.rest.post(`${path}/checklists`, { name: "All", items: ["One", "Two"] });
  }
  const all = (await cardsOf(admin.rest, {})).map(({ publicId }) => publicId);
  for (let nth = 0; nth < 32; nth++) {
    const input = { kind: pick(["blocks", "parent"], nth), relatedCardPublicId: pick(all, nth) };
    await admin.rest.post(`/cards/${pick(all, nth * 5 + 3)}/relations`, input);
  }
  cards = await cardsOf(admin.rest, {});
  for (const card of cards) {
    const { body } = await admin.rest.get(`/cards/${card["publicId"]}`);
    Object.assign(card, {
      description: body.description,
      boardPublicId: board.publicId,
      listName: ["One", "Two", "Three"][board.lists.indexOf(card["listPublicId"])],
    });
  }
  values = {
    title: [...titles, ...texts],
    description: ["About plan B", ...texts],
    text: [...titles, ...texts],
    cardNumber: cards.slice(0, 4).map(({ cardNumber }) => cardNumber),
    publicId: cards.slice(0, 4).map(({ publicId }) => publicId),
    listPublicId: board.lists,
    listName: ["One", "TWO", "thr\u00adee", "Four"],
    labelNames: ["label 0", "LABEL\u200b 1", "Label 2", "Label"],
    boardPublicId: [board.publicId],
    labels: board.labels,
    members,
    claim: members,
    parent: all,
    blocks: all,
  };
});

/** A session of a user: the clock runs ahead of the first. */
const idsOf = (all: Card[]) => all.map(({ publicId }) => publicId).toSorted();

test.each([
  ["UTC", 1],
  ["Europe/Berlin", 0],
  ["America/Havana", 6],
  ["Pacific/Kiritimati", 1],
])("random filters find what the evaluator finds, in %s", async (timeZone, weekStartDay) => {
  const { rest } = await signedIn(app(), workspace.admin);
  expect((await rest.put("/users/me", { timeZone })).status).toBe(200);
  await rest.put(`/workspaces/${workspace.publicId}`, { weekStartDay });
  const property = fc.asyncProperty(treeOf(values), async (filter) => {
    const clock = app().deps.clock().getTime();
    const context = { now: clock, timeZone, weekStartDay, me };
    const expected = cards.filter((card) => passesFilter(card, filter, context));
    expect(idsOf(await cardsOf(rest, { filter }))).toEqual(idsOf(expected));
  });
  await fc.assert(property, { numRuns: runs });
});

test("all that takes filters finds the same", async () => {
  const { rest } = await signedIn(app(), workspace.admin);
  const home = `/boards/${board.publicId}`;
  const property = fc.asyncProperty(treeOf(values), async (filter) => {
    const found = idsOf(await cardsOf(rest, { filter, archived: false }));
    const text = encodeURIComponent(JSON.stringify(filter));
    const page = await rest.get(`${home}/cards?limit=100&filter=${text}`);
    const whole = await rest.get(`${home}?filter=${text}`);
    const csv = await rest.get(`${home}/cards.csv?filter=${text}`);
    expect([page.status, whole.status, csv.status]).toEqual([200, 200, 200]);
    if (page.body.nextCursor === null) expect(idsOf(page.body.items)).toEqual(found);
    expect(idsOf(whole.body.lists.flatMap((list: Card) => list["cards"]))).toEqual(found);
    const lines = String(csv.body).trim().split("\r\n").slice(1);
    expect(lines).toHaveLength(found.length);
    const bulk = await rest.post(`${home}/cards/bulk`, { filter: { filter }, set: {} });
    expect(bulk.body).toEqual({ selected: found.length, changed: 0 });
  });
  await fc.assert(property, { numRuns: 20 });
});

const sortKeys = fc.uniqueArray(
  fc
    .record({ field: fc.constantFrom(...keyNames), order: fc.constantFrom("asc", "desc") })
    .filter(({ field, order }) => field !== "position" || order === "asc"),
  { minLength: 1, maxLength: 3, selector: ({ field }) => field },
);
const priorities = ["none", "low", "medium", "high", "urgent"];
const keyOf = (card: Card, field: string) => {
  if (field === "children") return card[field].total;
  return field === "priority" ? priorities.indexOf(card[field]) : card[field];
};

test("pages are in the order of all keys, cards without a value last", async () => {
  const byPosition = await cardsOf(admin.rest, {});
  const positions = new Map(byPosition.map(({ publicId }, nth) => [publicId, nth]));
  const property = fc.asyncProperty(sortKeys, async (sortBy) => {
    const found = await cardsOf(admin.rest, { sortBy });
    expect(idsOf(found)).toEqual(idsOf(cards));
    for (const [nth, card] of found.slice(1).entries()) {
      const before = found[nth] ?? {};
      let order = 0;
      for (const { field, order: direction } of sortBy) {
        if (order !== 0) break;
        const [one, next] = [before, card].map((at) =>
          field === "position" ? positions.get(at["publicId"]) : keyOf(at, field),
        );
        if (one === next) continue;
        if (one === null || next === null) order = next === null ? 1 : -1;
        else order = one < next === (direction === "asc") ? 1 : -1;
      }
      expect([sortBy, order]).not.toEqual([sortBy, -1]);
    }
  });
  await fc.assert(property, { numRuns: 40 });
});

const leaf: FilterTree = { field: "title", op: "is", value: "x" };
const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const nest = (depth: number): object => (depth === 0 ? leaf : { not: nest(depth - 1) });

test.each<[string, unknown, (string | number)[]]>([
  ["no object", 3, []],
  ["a list", [], []],
  ["an empty object", {}, ["field"]],
  ["an empty group", { and: [] }, ["and"]],
  ["a group that is no list", { or: leaf }, ["or"]],
  ["two groups", { and: [leaf], or: [leaf] }, ["or"]],
  ["an unknown field", { and: [leaf, { ...leaf, field: "colour" }] }, ["and", 1, "field"]],
  ["a field of every object", { ...leaf, field: "__proto__" }, ["field"]],
  ["a method of every object", { ...leaf, field: "toString" }, ["field"]],
  ["an unknown operator", { not: { ...leaf, op: "like" } }, ["not", "op"]],
  ["an operator of another kind", { field: "isComplete", op: "gt", value: true }, ["op"]],
  ["no value", { field: "title", op: "is" }, ["value"]],
  ["a value of another type", { field: "title", op: "is", value: 3 }, ["value"]],
  ["a value too many", { field: "title", op: "isEmpty", value: "x" }, ["value"]],
  ["an unknown key", { ...leaf, isBroken: true }, ["isBroken"]],
  ["an unknown priority", { field: "priority", op: "lt", value: "__proto__" }, ["value"]],
  ["an unknown period", { field: "dueDate", op: "within", value: "someday" }, ["value"]],
  ["an inherited period", { field: "dueDate", op: "within", value: "constructor" }, ["value"]],
  ["a date that is none", { field: "dueDate", op: "is", value: "2026-02-30" }, ["value"]],
  ["too many days", { field: "dueDate", op: "within", value: "next 9999 days" }, ["value"]],
  ["a value of 1,001 characters", { ...leaf, value: "x".repeat(1_001) }, ["value"]],
  ["101 values", { ...leaf, op: "isAnyOf", value: times(101, "x") }, ["value"]],
  ["an empty list of values", { ...leaf, op: "isAnyOf", value: [] }, ["value"]],
  ["nested values", { ...leaf, op: "isAnyOf", value: [["x"]] }, ["value"]],
  ["6 groups in each other", nest(6), times(6, "not")],
  ["51 conditions", { and: times(51, leaf) }, ["and"]],
  ["51 conditions in groups", { or: times(3, { and: times(17, leaf) }) }, ["or", 2, "and", 16]],
])("400 with the path: %s", async (_, filter, path) => {
  const home = `/boards/${board.publicId}/cards`;
  const posted = await admin.rest.post(`${home}/query`, { filter });
  expect(posted).toMatchObject({ status: 400, body: { issues: [{ path: ["filter", ...path] }] } });
  const text = encodeURIComponent(JSON.stringify(filter));
  const got = await admin.rest.get(`${home}?filter=${text}`);
  expect(got).toMatchObject({ status: 400, body: { issues: [{ path: ["filter", ...path] }] } });
});

test("a filter that is no JSON, or a bomb, is a 400", async () => {
  const home = `/boards/${board.publicId}/cards`;
  expect(await admin.rest.get(`${home}?filter={`)).toMatchObject({
    status: 400,
    body: { issues: [{ path: ["filter"], message: "The text must be JSON." }] },
  });
  const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  expect((await admin.rest.get(`${home}?filter=${deep}`)).status).toBe(400);
  expect((await admin.rest.post(`${home}/query`, { filter: nest(3_000) })).status).toBe(400);
  const wide = { and: times(50, { or: times(50, { and: times(2, leaf) }) }) };
  expect((await admin.rest.post(`${home}/query`, { filter: wide })).status).toBe(400);
});

test("50 conditions in 5 groups are as many as there can be", async () => {
  const filter = { not: { not: { not: { or: [{ and: times(50, leaf) }] } } } };
  const path = `/boards/${board.publicId}/cards/query`;
  expect((await admin.rest.post(path, { filter, limit: 100 })).body.items).toHaveLength(
    cards.filter(({ isArchived }) => !isArchived).length,
  );
});

test("things of other tenants are on no card", async () => {
  const stranger = await makeWorkspace(app());
  const foreign = await makeBoard(stranger);
  const id = (await stranger.admin.rest.get(`/workspaces/${stranger.publicId}`)).body
    .memberPublicId;
  for (const [field, value] of [
    ["labels", foreign.labels[0]],
    ["members", id],
    ["listPublicId", foreign.lists[0]],
    ["boardPublicId", foreign.publicId],
  ]) {
    const count = async (op: string) =>
      (await cardsOf(admin.rest, { filter: { field, op, value } })).length;
    expect([field, await count("is"), await count("isNot")]).toEqual([field, 0, cards.length]);
  }
});

test("what a caller may not see counts as empty", async () => {
  const home = `/workspaces/${workspace.publicId}/members/${other.memberPublicId}/permissions`;
  const { rest } = await signedIn(app(), other);
  const filters: FilterTree[] = [
    { field: "commentCount", op: "gt", value: 0 },
    { field: "labels", op: "isNotEmpty" },
    { not: { field: "labels", op: "isEmpty" } },
  ];
  for (const permission of ["comment:view", "board:view"]) {
    for (const filter of filters)
      expect((await cardsOf(rest, { filter })).length).toBeGreaterThanOrEqual(0);
    const { status } = await admin.rest.post(`${home}/revoke`, { permission });
    expect(status).toBe(200);
  }
  for (const filter of filters) expect(await cardsOf(rest, { filter })).toEqual([]);
});

test.each(["don't co", "DON\u2018T", "co\u2060op", "cooperate ❤", "\u02bct"])(
  "contains %j finds apostrophes of another kind, and what has characters that are not seen",
  async (value) => {
    const found = await cardsOf(admin.rest, { filter: { field: "title", op: "contains", value } });
    expect(new Set(found.map(({ title }) => title))).toEqual(new Set([titles.at(-1)]));
  },
);

test("a text of which nothing is seen is refused: all texts contain it", async () => {
  const filter = { field: "title", op: "contains", value: "\u200b\u00ad" };
  const reply = await admin.rest.post(`/boards/${board.publicId}/cards/query`, { filter });
  expect([reply.status, reply.body.issues[0].path]).toEqual([400, ["filter", "value"]]);
});
