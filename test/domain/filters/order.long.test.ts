import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { passesFilter } from "../../../src/contract/filter/evaluate.ts";
import { builtIn, type FieldsByName } from "../../../src/contract/filter/fields.ts";
import { keyNames } from "../../../src/contract/filter/sort.ts";
import type { FilterTree } from "../../../src/contract/filter/tree.ts";
import { useApp } from "../../support/app.ts";
import fc from "../../support/fast-check.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";
import { sorted, sortOf } from "./sorted.ts";
import { everyPage } from "./every-page.ts";
import { keepCards } from "../../support/kept.ts";

const app = useApp({ isolated: true });
const count = 4_000;
const runs = Number(process.env["FILTER_RUNS"] ?? 40);
let workspace: Workspace;
let board: Board;
let cards: Record<string, any>[];
let byPosition: string[];
const fields: Record<string, string> = {};
const find: FieldsByName = (name) => {
  if (name === fields["number"]) return { kind: "number" };
  return name === fields["text"] ? { kind: "text" } : builtIn(name);
};

/** All pages of the board in an order. */
const cardsOf = (query: object) =>
  everyPage(workspace.admin, board.publicId, { limit: 100, ...query });

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 0 });
  for (const list of board.lists) await fill(app(), list, { cards: count / 2 });
  const client = new pg.Client(app().url);
  await client.connect();
  // More cards than are sorted have the same priority, and so on.
  await client.query(`UPDATE cards SET
    priority = CASE WHEN number % 50 = 0 THEN 'urgent' WHEN number % 3 = 0 THEN 'low' ELSE 'none' END
      ::"CardPriority",
    "dueDate" = CASE WHEN number % 4 < 3 THEN '2026-01-01Z'::timestamptz
      + make_interval(days => CASE WHEN number < 1500 THEN 1 ELSE number % 900 END) END,
    "createdAt" = '2026-01-01Z'::timestamptz + make_interval(mins => number * 7 % 2000 / 100)`);
  for (const [type, value] of [
    ["number", "CASE WHEN c.number % 2 = 0 THEN 5 ELSE c.number % 700 END"],
    ["text", "CASE WHEN c.number % 5 < 2 THEN 'all' ELSE 'x' || c.number % 37 END"],
  ] as const) {
    const path = `/boards/${board.publicId}/fields`;
    const field = { name: type, type, isShownOnCard: true };
    const { body } = await workspace.admin.rest.post(path, field);
    fields[type] = `fields.${body.publicId}`;
    await client.query(
      `INSERT INTO card_field_values ("cardId", "fieldId", "workspaceId", type, "${type}")
       SELECT c.id, f.id, f."workspaceId", f.type, ${value} FROM cards c
       JOIN custom_fields f ON f."boardId" = c."boardId"
       WHERE f."publicId" = $1 AND c.number % 10 < 7`,
      [body.publicId],
    );
  }
  await client.query(`INSERT INTO card_relations ("publicId", "workspaceId", kind, "fromId", "toId")
    SELECT 'related' || c.id || k.kind, c."workspaceId", k.kind::"CardRelationKind", o.id, c.id
    FROM cards c JOIN cards o ON o."workspaceId" = c."workspaceId" AND o.number = c.number / 3
    CROSS JOIN (VALUES ('blocks'), ('parent')) k(kind) WHERE c.number % 5 < 2`);
  await client.query(`UPDATE cards SET "completedAt" = "createdAt" WHERE number % 7 = 0`);
  await keepCards(app());
  await client.query("ANALYZE");
  await client.end();
  cards = await cardsOf({});
  byPosition = cards.map(({ publicId }) => publicId);
  if (cards.length !== count) throw new Error("Cards are missing.");
});

const idsOf = (all: Record<string, any>[]) => all.map(({ publicId }) => publicId);

test("pages of many equal cards join to the list that is sorted in memory", async () => {
  const { number = "", text = "" } = fields;
  const filters: (FilterTree | undefined)[] = [
    undefined,
    { field: "priority", op: "isAnyOf", value: ["low", "urgent"] },
    { field: "priority", op: "isNot", value: "low" },
    { field: "dueDate", op: "lt", value: "2026-01-03" },
    { field: "dueDate", op: "isEmpty" },
    { field: "dueDate", op: "isNotEmpty" },
    { field: number, op: "gte", value: 5 },
    { field: number, op: "isEmpty" },
    { field: text, op: "is", value: "all" },
    { not: { field: text, op: "is", value: "all" } },
    { and: [{ field: number, op: "is", value: 5 }, { not: { field: "dueDate", op: "isEmpty" } }] },
    {
      or: [
        { field: number, op: "lt", value: 5 },
        { field: "priority", op: "gt", value: "low" },
      ],
    },
  ];
  const names = [...keyNames, number, text];
  const keys = fc.tuple(sortOf(names), fc.constantFrom(...filters));
  const property = fc.asyncProperty(keys, async ([sortBy, filter]) => {
    const context = { now: 0, timeZone: "UTC", weekStartDay: 1, me: null };
    const passing = cards.filter((card) => !filter || passesFilter(card, filter, context, find));
    const found = await cardsOf({ sortBy, ...(filter ? { filter } : {}) });
    expect(idsOf(found)).toEqual(idsOf(sorted(passing, sortBy, byPosition)));
  });
  await fc.assert(property, { numRuns: runs });
});
