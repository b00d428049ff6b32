import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import type { FilterTree } from "../../../src/contract/filter/tree.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { fill } from "../../transfer/exports/many.ts";
import { spread } from "../workspaces/spread-cards.ts";
import { keepCards } from "../../support/kept.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead("cards");
const allRowsRead = useRowsRead();
const count = Number(process.env["FILTER_CARDS"] ?? 50_000);
let workspace: Workspace;
/** `fields` are custom fields by their types; of the last one, few cards have a value. */
type Filled = { board: Board; fields: string[] };
/** A board of ten lists, and one whose only list PostgreSQL knows nothing of. */
const kinds = ["ten lists", "one list"] as const;
let boards: Record<(typeof kinds)[number], Filled>;
const values = {
  text: [sql`text`, sql`left(md5(c.id::text), 3)`, sql`0`],
  url: [sql`text`, sql`'https://example.com/' || c.number % 100`, sql`0`],
  number: [sql`number`, sql`c.number % 1000`, sql`0`],
  date: [sql`date`, sql`now() + make_interval(hours => c.number % 500)`, sql`0`],
  rare: [sql`number`, sql`c.number`, sql`c.number % 1250`],
} as const;

async function fillBoard(names: string[], analyzed: string): Promise<Filled> {
  const board = await makeBoard(workspace, { lists: names, labels: 2 });
  for (const list of board.lists) await fill(app(), list, { cards: count / names.length });
  await spread(app(), board.publicId, workspace.admin.publicId);
  const fields: string[] = [];
  for (const [name, [column, value, isMissing]] of Object.entries(values)) {
    const type = name === "rare" ? "number" : name;
    const path = `/boards/${board.publicId}/fields`;
    const { body } = await workspace.admin.rest.post(path, { name, type });
    fields.push(`fields.${body.publicId}`);
    await app().db.write(sql`INSERT INTO card_field_values
        ("cardId", "fieldId", "workspaceId", type, ${column})
      SELECT c.id, f.id, f."workspaceId", f.type, ${value} FROM cards c
        JOIN custom_fields f ON f."boardId" = c."boardId" AND f."publicId" = ${body.publicId}
      WHERE c.number % 4 <> 0 AND ${isMissing} = 0`);
  }
  await keepCards(app());
  const client = new pg.Client(app().url);
  await client.connect();
  await client.query(`UPDATE cards SET priority = 'urgent' WHERE number % 500 = 0`);
  await client.query(`VACUUM (ANALYZE) ${analyzed}`);
  await client.end();
  return { board, fields };
}

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const lists = Array.from({ length: 10 }, (_, nth) => `List ${nth}`);
  boards = {
    "ten lists": await fillBoard(lists, ""),
    "one list": await fillBoard(["All"], "cards, card_field_values"),
  };
});

/** Of the first pages: the most cards that one shows, and the most rows of cards that it reads. */
async function pages(
  { board }: Filled,
  query: object,
  { count: pageCount = 2, read = rowsRead } = {},
) {
  const most = { shown: 0, rows: 0 };
  let cursor: string | undefined;
  for (let page = 0; page < pageCount; page++) {
    const reads = await read(app(), async () => {
      const path = `/boards/${board.publicId}/cards/query`;
      const reply = await workspace.admin.rest.post(path, { limit: 20, ...query, cursor });
      expect(reply).toMatchObject({ status: 200 });
      most.shown = Math.max(most.shown, reply.body.items.length);
      cursor = reply.body.nextCursor ?? undefined;
    });
    most.rows = Math.max(
      most.rows,
      reads.reduce((sum, one) => sum + one.rows, 0),
    );
  }
  return most;
}

const sorts = [{ sort: "position" }, { sort: "dueDate" }, { sort: "createdAt" }];

test.each(kinds)(
  "of a board of %s, a filter that few cards pass reads few cards, in each order",
  async (kind) => {
    const board = boards[kind];
    const few: FilterTree[] = [
      { field: "priority", op: "is", value: "urgent" },
      {
        and: [
          { field: "priority", op: "gte", value: "high" },
          { field: "text", op: "contains", value: "card" },
        ],
      },
      {
        and: [
          { field: "labels", op: "is", value: "nosuchlabel1" },
          { not: { field: "claim", op: "isEmpty" } },
        ],
      },
      { field: "claim", op: "is", value: "me" },
      { field: "dueDate", op: "lt", value: "2001-01-01" },
    ];
    for (const filter of few) {
      for (const sort of sorts) {
        const { rows } = await pages(board, { filter, ...sort });
        expect([filter, sort, rows, rows <= 3_000]).toEqual([filter, sort, rows, true]);
      }
    }
  },
);

test.each(kinds)(
  "of a board of %s, a filter that many cards pass reads the cards of a page, and few others",
  async (kind) => {
    const board = boards[kind];
    const many: FilterTree[] = [
      { field: "title", op: "isNotEmpty" },
      {
        or: [
          { field: "isComplete", op: "is", value: false },
          { field: "commentCount", op: "gt", value: 3 },
        ],
      },
      { not: { field: "labels", op: "is", value: board.board.labels[0] ?? "" } },
    ];
    for (const filter of many) {
      for (const sort of sorts) {
        const { shown, rows } = await pages(board, { filter, ...sort });
        expect([filter, sort, shown, rows, rows <= 2_000]).toEqual([filter, sort, 20, rows, true]);
      }
    }
  },
);

test.each(kinds)(
  "of a board of %s, a filter that no index knows, and that no card passes, reads a part of the board",
  async (kind) => {
    const board = boards[kind];
    const filter: FilterTree = { field: "title", op: "contains", value: "nowhere" };
    for (const sort of sorts) {
      const { shown, rows } = await pages(board, { filter, ...sort });
      expect([sort, shown, rows, rows <= 25_000]).toEqual([sort, 0, rows, true]);
    }
  },
);

test.each(kinds)(
  "of a board of %s, orders by a field read few rows of all tables, and by two at most the board, with a filter and without",
  async (kind) => {
    const board = boards[kind];
    const filter: FilterTree = { field: "title", op: "isNotEmpty" };
    const names = ["dueDate", "priority", "createdAt", "updatedAt", ...board.fields];
    const keys = names.flatMap((field) => [
      [{ field, order: "asc" }],
      [{ field, order: "desc" }],
      [{ field, order: "desc" }, { field: field === "dueDate" ? "priority" : "dueDate" }],
    ]);
    const rare = board.fields.at(-1) ?? "";
    for (const sortBy of keys) {
      // Behind the few cards with a rare value are those without one.
      const options = { count: sortBy[0]?.field === rare ? 4 : 2, read: allRowsRead };
      for (const query of [{ sortBy }, { sortBy, filter }]) {
        const { shown, rows } = await pages(board, query, options);
        const name = JSON.stringify(query);
        // Cards with one value of the first key, or without a value of a field, have no index: they are sorted.
        const isSorted = sortBy.length > 1 || board.fields.includes(sortBy[0]?.field ?? "");
        const most = isSorted ? 2 * count : 20_000;
        expect([name, shown, rows, rows <= most]).toEqual([name, 20, rows, true]);
      }
    }
  },
);
