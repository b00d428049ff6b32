import { beforeAll, expect, test } from "vitest";
import { passesFilter } from "../../../src/contract/filter/evaluate.ts";
import {
  builtIn,
  customKinds,
  opsOf,
  type FilterField,
} from "../../../src/contract/filter/fields.ts";
import type { FilterLeaf, FilterTree, FilterValue } from "../../../src/contract/filter/tree.ts";
import { useApp } from "../../support/app.ts";
import fc from "../../support/fast-check.ts";
import { join, makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { everyPage } from "./every-page.ts";

const app = useApp();
let workspace: Workspace;
let board: Board;
let me: string;
type Card = Record<string, any>;
let cards: Card[];
type Named = FilterField & { name: string; values: (string | number | boolean)[]; id: string };
let fields: Named[];

const kinds: Record<string, FilterField> = customKinds;

const cardsOf = (query: object) =>
  everyPage(workspace.admin, board.publicId, { limit: 5, ...query });

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const other = await join(app(), workspace, "member");
  me = (await rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
  board = await makeBoard(workspace, { lists: ["One"] });
  fields = [];
  const days = ["2026-03-28T23:00:00.000Z", "2026-03-29T12:00:00.000Z", "2026-03-30T00:00:00.000Z"];
  for (const [type, field] of Object.entries(kinds)) {
    const isChoice = type === "select" || type === "multiSelect";
    const { body } = await rest.post(`/boards/${board.publicId}/fields`, {
      name: type,
      type,
      isShownOnCard: true,
      ...(isChoice ? { options: [{ name: "A" }, { name: "B" }, { name: "C" }] } : {}),
    });
    const options = (body.options ?? []).map(({ publicId }: Card) => publicId);
    const values: Record<string, (string | number | boolean)[]> = {
      text: ["one", "Two", "50%", "ÄÖ"],
      url: ["https://example.com/a", "https://example.com/b"],
      number: [-1.5, 0, 2, 1_000_000],
      date: days,
      checkbox: [true, false],
      member: [me, other.memberPublicId],
    };
    const name = `fields.${body.publicId}`;
    fields.push({ ...field, name, id: body.publicId, values: values[type] ?? options });
  }
  const pick = <Item>(items: readonly Item[], nth: number) => items[nth % items.length] as Item;
  for (let nth = 0; nth < 24; nth++) {
    const given = fields.flatMap(({ id, kind, values }, of) => {
      if ((nth + of) % 3 === 0) return [];
      return [[id, kind === "ids" ? values.slice(0, 1 + (nth % 3)) : pick(values, nth + of)]];
    });
    const listPublicId = board.lists[0];
    const card = { title: `Card ${nth}`, listPublicId, fields: Object.fromEntries(given) };
    await rest.post("/cards", card);
  }
  cards = await cardsOf({});
  if (cards.length !== 24) throw new Error("The cards were not created.");
});

const find = (name: string) => builtIn(name) ?? fields.find((one) => one.name === name);
const idsOf = (all: Card[]) => all.map(({ publicId }) => publicId).toSorted();

const leaf = (): fc.Arbitrary<FilterLeaf> =>
  fc.constantFrom(...fields).chain((field) =>
    fc.constantFrom(...opsOf(field)).chain((op): fc.Arbitrary<FilterLeaf> => {
      if (op === "isEmpty" || op === "isNotEmpty") return fc.constant({ field: field.name, op });
      const others = { number: [1], moment: ["2026-03-29", "now"], ids: ["nosuchoption"] };
      const { [field.kind as "ids"]: more = [] } = others;
      const value = fc.constantFrom(...field.values, ...more, ...(field.isMember ? ["me"] : []));
      const isMany = op === "isAnyOf" || op === "isNoneOf";
      const given = isMany ? fc.array(value, { minLength: 1, maxLength: 3 }) : value;
      return given.map((one) => ({ field: field.name, op, value: one as FilterValue }));
    }),
  );
const tree = (): fc.Arbitrary<FilterTree> =>
  fc.oneof(
    leaf(),
    fc.array(leaf(), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(leaf(), { minLength: 1, maxLength: 3 }).map((or) => ({ not: { or } })),
  );

test("random filters on custom fields find what the evaluator finds", async () => {
  const property = fc.asyncProperty(tree(), async (filter) => {
    const now = app().deps.clock().getTime();
    const context = { now, timeZone: "UTC", weekStartDay: 1, me };
    const expected = cards.filter((card) => passesFilter(card, filter, context, find));
    expect(idsOf(await cardsOf({ filter }))).toEqual(idsOf(expected));
    const text = encodeURIComponent(JSON.stringify(filter));
    const path = `/workspaces/${workspace.publicId}/search?query=card&limit=100&filter=${text}`;
    const hits = (await workspace.admin.rest.get(path)).body.items;
    expect(idsOf(hits)).toEqual(idsOf(expected));
  });
  await fc.assert(property, { numRuns: 60 });
});

test("cards are sorted by text, url, number and date fields, those without a value last", async () => {
  const sortable = fields.filter(({ kind }) => ["text", "number", "moment"].includes(kind));
  for (const { name, id } of sortable) {
    for (const order of ["asc", "desc"]) {
      const found = await cardsOf({ sortBy: [{ field: name, order }, { field: "createdAt" }] });
      expect(idsOf(found)).toEqual(idsOf(cards));
      const values = found.map((card) => card["fields"][id]);
      const known = values.filter((value) => value !== undefined);
      expect(values.slice(0, known.length)).toEqual(known);
      if (typeof known[0] === "number")
        expect(known).toEqual(
          known.toSorted((one, next) => (order === "asc" ? one - next : next - one)),
        );
    }
  }
});

test("a value of another type, and a field without an order, are a 400", async () => {
  const path = `/boards/${board.publicId}/cards/query`;
  const { rest } = workspace.admin;
  const number = fields.find(({ kind }) => kind === "number")?.name;
  const select = fields.find(({ kind }) => kind === "id")?.name;
  const filter = { and: [{ field: number, op: "is", value: "two" }] };
  expect(await rest.post(path, { filter })).toMatchObject({
    status: 400,
    body: { issues: [{ path: ["filter", "and", 0, "value"] }] },
  });
  for (const field of [select, "fields.nosuchfield1"])
    expect(await rest.post(path, { sortBy: [{ field }] })).toMatchObject({
      status: 400,
      body: { issues: [{ path: ["sortBy", 0, "field"] }] },
    });
});

test("a field of another board is on no card", async () => {
  const elsewhere = await makeBoard(workspace);
  const { body } = await workspace.admin.rest.post(`/boards/${elsewhere.publicId}/fields`, {
    name: "Elsewhere",
    type: "text",
  });
  const name = `fields.${body.publicId}`;
  expect(await cardsOf({ filter: { field: name, op: "isEmpty" } })).toEqual([]);
  expect(await cardsOf({ filter: { not: { field: name, op: "isEmpty" } } })).toHaveLength(24);
});

test("in listings of many boards, a condition on a field selects cards of its board only", async () => {
  const { rest } = workspace.admin;
  const [one, two] = [await makeBoard(workspace), await makeBoard(workspace)];
  const checkbox = { name: "Done", type: "checkbox" };
  const { body } = await rest.post(`/boards/${one.publicId}/fields`, checkbox);
  const field = `fields.${body.publicId}`;
  const [here = ""] = await Promise.all(
    [one, two].map(async ({ lists: [listPublicId] }) => {
      const card = { title: "Zebra", listPublicId, memberPublicIds: [me] };
      return String((await rest.post("/cards", card)).body.publicId);
    }),
  );
  const cardsWith = async (filter: object) => {
    const text = encodeURIComponent(JSON.stringify(filter));
    const path = `/workspaces/${workspace.publicId}/search?query=zebra&filter=${text}`;
    const hits = idsOf((await rest.get(path)).body.items);
    const mine = await rest.get(`/users/me/cards?limit=100&filter=${text}`);
    expect(idsOf(mine.body.items)).toEqual(hits);
    return hits;
  };
  expect(await cardsWith({ field, op: "isNot", value: true })).toEqual([here]);
  expect(await cardsWith({ field, op: "is", value: false })).toEqual([here]);
  expect(await cardsWith({ field, op: "is", value: true })).toEqual([]);
  const isZebra = { field: "title", op: "is", value: "Zebra" };
  const isOpen = { not: { field, op: "is", value: true } };
  expect(await cardsWith({ and: [isZebra, isOpen] })).toHaveLength(2);
});

test("a condition on a field of a board that the caller cannot see says nothing of it", async () => {
  const hidden = await makeBoard(workspace);
  const { rest } = workspace.admin;
  await rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  const { body } = await rest.post(`/boards/${hidden.publicId}/fields`, {
    name: "Hidden",
    type: "number",
  });
  const of = (publicId: string) =>
    encodeURIComponent(JSON.stringify({ field: `fields.${publicId}`, op: "gt", value: "text" }));
  const member = await join(app(), workspace, "member");
  const known = await member.rest.get(`/users/me/cards?filter=${of(body.publicId)}`);
  const unknown = await member.rest.get(`/users/me/cards?filter=${of("nosuchfield1")}`);
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  expect(await rest.get(`/users/me/cards?filter=${of(body.publicId)}`)).toMatchObject({
    status: 400,
    body: { issues: [{ path: ["filter", "value"] }] },
  });
});
