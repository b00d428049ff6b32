import { beforeAll, expect, test } from "vitest";
import {
  customKinds,
  filterFields,
  type FilterField,
} from "../../../src/contract/filter/fields.ts";
import { keyNames } from "../../../src/contract/filter/sort.ts";
import { createClient, isError, type Client } from "../../../src/client/index.ts";
import {
  checkFilter,
  createStore,
  filterCards,
  type BoardView,
  type Filter,
  type FilteredCard,
  type SortBy,
} from "../../../src/client/store/index.ts";
import { treeOf, type Values } from "../../domain/filters/arbitrary.ts";
import { useApp } from "../../support/app.ts";
import fc from "../../support/fast-check.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp();
const runs = Number(process.env["FILTER_RUNS"] ?? 40);
const zones = ["UTC", "Europe/Berlin", "America/Havana", "Pacific/Kiritimati"];
let client: Client;
let board: BoardView;
let me: string;
let values: Values;
let workspacePublicId: string;

type Random = <Item>(items: readonly Item[]) => Item;
const types = ["text", "url", "number", "date", "checkbox", "select", "multiSelect", "member"];
const words = ["Plan", "plan B", "50% off", "a_b", "ÄRGER über Œuvre", "ПЛАН", "ΣΊΣΥΦΟΣ", "'; --"];
const days = ["0001-01-01", "2041-03-31", "2041-10-27", "9999-12-31"];

beforeAll(async () => {
  const workspace = await makeWorkspace(app());
  workspacePublicId = workspace.publicId;
  const other = await join(app(), workspace, "member");
  const { rest } = workspace.admin;
  me = (await rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
  const made = await makeBoard(workspace, { lists: ["One", "Two"], labels: 3 });
  const members = [me, other.memberPublicId];
  const seeded = fc.sample(fc.nat(), { numRuns: 3_000, seed: 12 }).values();
  const pick: Random = (items) => items[(seeded.next().value ?? 0) % items.length] as never;
  const moment = () => new Date(Date.now() + (pick([...Array(200).keys()]) - 100) * 3_600_000);
  const fields = [];
  for (const type of types) {
    const options = type.includes("elect")
      ? { options: [{ name: "S" }, { name: "M" }, { name: "L" }] }
      : {};
    const input = { name: type, type, isShownOnCard: true, ...options };
    fields.push((await rest.post(`/boards/${made.publicId}/fields`, input)).body);
  }
  const valueOf = ({ type, options }: { type: string; options: { publicId: string }[] }) => {
    const ids = options.map(({ publicId }) => publicId);
    if (type === "number") return pick([-1, 0, 0.5, 2, 1e21]);
    if (type === "date") return pick([moment().toISOString(), "2041-03-31", "0001-01-01"]);
    if (type === "checkbox") return pick([true, false]);
    if (type === "select") return pick(ids);
    if (type === "multiSelect") return ids.filter(() => pick([true, false]));
    if (type === "member") return pick(members);
    return type === "url" ? `https://example.com/${pick(["a", "b", "ä"])}` : pick(words);
  };
  for (let nth = 0; nth < 40; nth++) {
    const given = fields.filter(() => pick([true, true, false]));
    const card = await rest.post("/cards", {
      title: pick(words),
      listPublicId: pick(made.lists),
      description: pick([null, "", "Some"]),
      dueDate: pick([null, moment().toISOString(), "2041-03-31T12:00:00Z"]),
      startDate: pick([null, "9999-12-31T23:59:59.999Z"]),
      priority: pick(["none", "low", "medium", "high", "urgent"]),
      labelPublicIds: made.labels.filter(() => pick([true, false])),
      memberPublicIds: members.filter(() => pick([true, false])),
      fields: Object.fromEntries(given.map((field) => [field.publicId, valueOf(field)])),
    });
    if (card.status !== 200) throw new Error(JSON.stringify(card.body));
    const path = `/cards/${card.body.publicId}`;
    if (pick([true, false, false])) await rest.put(path, { isComplete: true });
    if (nth % 9 === 0) await rest.put(path, { isArchived: true });
    if (nth % 8 === 0) await pick([workspace.admin, other]).rest.post(`${path}/claim`, {});
    if (nth % 7 === 0) await rest.post(`${path}/comments`, { comment: "One" });
    if (nth % 6 === 0) await rest.post(`${path}/checklists`, { name: "All", items: ["One"] });
  }
  const all: string[] = (
    await rest.get(`/boards/${made.publicId}?archived=true`)
  ).body.lists.flatMap((list: { cards: { publicId: string }[] }) =>
    list.cards.map(({ publicId }) => publicId),
  );
  for (let nth = 0; nth < 40; nth++) {
    const input = { kind: pick(["blocks", "parent"]), relatedCardPublicId: pick(all) };
    await rest.post(`/cards/${pick(all)}/relations`, input);
  }
  client = createClient({
    url: "http://boards.test",
    auth: { token: workspace.admin.token },
    fetch: async (address, init) => app().fetch(new Request(address, init)),
  });
  const store = createStore(client);
  board = await store.board(made.publicId).ready();
  store.close();
  const cards = board.lists.flatMap((list) => list.cards).slice(0, 4);
  values = {
    title: words,
    description: words,
    text: [...words, "PLAN", "ä", "A\u0308", "0", "-"],
    cardNumber: cards.map(({ cardNumber }) => cardNumber),
    publicId: cards.map(({ publicId }) => publicId),
    listPublicId: made.lists,
    listName: board.lists.flatMap(({ name }) => [name, name.toUpperCase()]),
    labelNames: board.labels.flatMap(({ name }) => [name, name.toUpperCase()]),
    boardPublicId: [made.publicId],
    labels: made.labels,
    members,
    claim: members,
    parent: all,
    blocks: all,
    ...Object.fromEntries(
      fields.map((field) => {
        const known = [1, 2, 3, 4].flatMap(() => valueOf(field));
        const some = field.type === "date" ? days : known.length > 0 ? known : ["none"];
        return [`fields.${field.publicId}`, some];
      }),
    ),
  };
});

/** What the service answers, page by page. */
async function queried(query: object): Promise<FilteredCard[]> {
  const found: FilteredCard[] = [];
  for (let cursor: string | undefined; ;) {
    const input = { boardPublicId: board.publicId, limit: 100, ...query };
    const page = await client.board.queryCards(cursor === undefined ? input : { ...input, cursor });
    found.push(...page.items);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

const idsOf = (cards: { publicId: string }[]) => cards.map(({ publicId }) => publicId);
/** What boards show of cards. */
function fieldsOnBoard(): Record<string, FilterField> {
  const { createdAt: _created, updatedAt: _updated, ...shown } = filterFields;
  const custom = board.fields.map(({ publicId, type }) => [
    `fields.${publicId}`,
    customKinds[type],
  ]);
  return {
    ...shown,
    description: { kind: "text", ops: ["isEmpty", "isNotEmpty"] },
    ...Object.fromEntries(custom),
  };
}
const customNames = () => board.fields.map(({ publicId }) => `fields.${publicId}`);

test.each(zones)(
  "random filters find in the copy what the service finds, in %s",
  async (timeZone) => {
    const weekStartDay = zones.indexOf(timeZone);
    await client.user.update({ timeZone });
    await client.workspace.update({ workspacePublicId, weekStartDay });
    const trees = treeOf(values, fieldsOnBoard()) as fc.Arbitrary<Filter>;
    let some = 0;
    const property = fc.asyncProperty(trees, async (filter) => {
      const now = app().deps.clock().getTime();
      const shown = filterCards(board, filter, { me, timeZone, weekStartDay, now });
      if (shown.length > 0 && shown.length < 35) some++;
      expect(idsOf(shown)).toEqual(idsOf(await queried({ filter })));
    });
    await fc.assert(property, { numRuns: runs });
    expect(some).toBeGreaterThan(runs / 5);
  },
);

test("random orders are those of the service", async () => {
  const sortable = [
    ...keyNames.filter((name) => name !== "createdAt" && name !== "updatedAt"),
    ...board.fields.slice(0, 4).map(({ publicId }) => `fields.${publicId}`),
  ];
  const keys = fc.uniqueArray(
    fc
      .record(
        { field: fc.constantFrom(...sortable), order: fc.constantFrom("asc", "desc") },
        { requiredKeys: ["field"] },
      )
      .filter(({ field, order }) => field !== "position" || order !== "desc"),
    { minLength: 1, maxLength: 3, selector: ({ field }) => field },
  ) as fc.Arbitrary<SortBy>;
  const property = fc.asyncProperty(keys, async (sortBy) => {
    const shown = filterCards(board, undefined, { sortBy });
    expect(idsOf(shown)).toEqual(idsOf(await queried({ sortBy })));
  });
  await fc.assert(property, { numRuns: runs });
});

/** The problems of a call, or of a function. */
async function problemsOf(run: () => unknown) {
  try {
    await run();
  } catch (error) {
    if (isError(error)) {
      const { status, code, message, issues } = error;
      return { status, code, message, issues };
    }
    throw error;
  }
  return undefined;
}

test("an invalid filter has the problems that the service answers", async () => {
  const leaf = { field: "title", op: "is", value: "x" };
  const [text = "", , number = "", , , select = ""] = customNames();
  const invalid: unknown[] = [
    3,
    { and: [] },
    { and: [leaf, { ...leaf, field: "colour" }] },
    { not: { ...leaf, op: "like" } },
    { or: [leaf, { and: [{ field: "isComplete", op: "gt", value: true }, leaf] }] },
    { field: "dueDate", op: "within", value: "someday" },
    { not: { not: { not: { not: { not: { not: leaf } } } } } },
    { and: Array.from({ length: 51 }, () => leaf) },
    { or: [leaf, { field: number, op: "is", value: "many" }] },
    {
      and: [{ not: { field: select, op: "lt", value: "x" } }, { field: text, op: "gt", value: 1 }],
    },
  ];
  for (const filter of invalid) {
    const here = await problemsOf(() => filterCards(board, filter as Filter));
    const there = await problemsOf(() =>
      client.board.queryCards({ boardPublicId: board.publicId, filter: filter as Filter }),
    );
    expect(here).toEqual(there);
    expect(here?.issues[0]?.path[0]).toBe("filter");
  }
  const sortBy = [{ field: select }];
  const here = await problemsOf(() => filterCards(board, undefined, { sortBy }));
  const there = await problemsOf(() =>
    client.board.queryCards({ boardPublicId: board.publicId, sortBy }),
  );
  expect(here).toEqual(there);
});

test("what boards do not show of cards is refused, with the path; unknown fields match nothing", () => {
  const [hidden, ...others] = board.fields;
  if (hidden === undefined) throw new Error("The board has no fields.");
  const closed = { ...board, fields: [{ ...hidden, isShownOnCard: false }, ...others] };
  const name = `fields.${hidden.publicId}`;
  const pathOf = (filter: Filter) =>
    checkFilter(closed, filter).map(({ path, code }) => [path, code]);
  expect(
    pathOf({
      or: [
        { field: "title", op: "is", value: "x" },
        { field: name, op: "isEmpty" },
      ],
    }),
  ).toEqual([[["filter", "or", 1], "not_on_board"]]);
  expect(pathOf({ not: { field: "updatedAt", op: "within", value: "today" } })).toEqual([
    [["filter", "not"], "not_on_board"],
  ]);
  expect(pathOf({ field: "description", op: "contains", value: "x" })).toHaveLength(1);
  expect(pathOf({ field: "description", op: "isEmpty" })).toEqual([]);
  expect(checkFilter(closed, undefined, { sortBy: [{ field: name }] })).toMatchObject([
    { path: ["sortBy", 0, "field"], code: "not_on_board" },
  ]);
  expect(filterCards(board, { field: "fields.nosuchfield1", op: "isEmpty" })).toEqual([]);
});
