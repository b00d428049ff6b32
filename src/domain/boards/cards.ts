import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter, isSelected } from "../cards/filters.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { timeZoneFor } from "../../kernel/time-zones.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const Filter = Page.extend({
  ...cardFilter,
  sort: z
    .enum(["position", "dueDate", "createdAt", "updatedAt"])
    .default("position")
    .meta({
      description:
        "`position`: list by list, as on the board. `dueDate`: earliest first, cards without one " +
        "last. `createdAt`, `updatedAt`: newest first.",
    }),
});

const dueDate = sql`coalesce(c."dueDate", 'infinity')`;
const sorts = {
  position: {
    by: [sql`l.position`, sql`c.position`],
    types: [sql`text`, sql`text`],
    descending: false,
  },
  dueDate: { by: [dueDate], types: [sql`timestamptz`], descending: false },
  createdAt: { by: [sql`c."createdAt"`], types: [sql`timestamptz`], descending: true },
  updatedAt: { by: [sql`c."updatedAt"`], types: [sql`timestamptz`], descending: true },
} as const;

type PageBounds = { limit: number; after: string[] | null };

/** SQL: a page of selected cards in an order, after the sort keys of the last card. */
export function selectPage(
  sort: keyof typeof sorts,
  selected: Sql,
  { limit, after }: PageBounds,
): Sql {
  const { by, types, descending } = sorts[sort];
  const list = (fragments: Sql[]) => sql.join(fragments, sql`, `);
  const keys = [...by, sql`c.id`];
  const stored = [...types, sql`bigint`].map(
    (type, nth) => sql`(${after}::text[])[${sql.number(nth + 1)}]::${type}`,
  );
  // Positions change when a list is renumbered: the last card, if it is live, has the current ones.
  const current = (key: Sql, old: Sql) => sql`coalesce((SELECT ${key} FROM cards c
    JOIN lists l ON l.id = c."listId"
    WHERE c.id = ${stored.at(-1) ?? sql`NULL`} AND c."deletedAt" IS NULL), ${old})`;
  const last =
    sort === "position"
      ? stored.map((old, nth) => (keys[nth] === undefined ? old : current(keys[nth], old)))
      : stored;
  const [operator, direction] = descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  return sql`SELECT c.id, ARRAY[${list(keys.map((key) => sql`${key}::text`))}] AS keys
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${selected}
      AND (${after}::text[] IS NULL OR (${list(keys)}) ${operator} (${list(last)}))
    ORDER BY ${list(keys.map((key) => sql`${key} ${direction}`))} LIMIT ${limit}`;
}

/** Lists the cards of a board, in one of four orders. */
export const listBoardCards = query("board.cards", Filter)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/cards",
      "List the cards of a board",
      "The cards of a board that pass all filters, in the order `sort`. The filters are those of " +
        "`board.get`.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { board, workspace, caller, db, deps }, input }) => {
    const { sort, limit, cursor, ...filter } = input;
    const timeZone = timeZoneFor(caller, workspace);
    const selection = { ...filter, now: deps.clock(), timeZone };
    const keyset = pagesByKeys(deps.seal, `cards of ${board.id} by ${sort}`);
    const found = await db.query<{ id: bigint; keys: string[] }>(
      selectPage(sort, isSelected(board.id, selection), {
        limit: limit + 1,
        after: keyset.after(cursor) ?? null,
      }),
    );
    const { rows, nextCursor } = keyset.page(found, limit);
    const ids = rows.map(({ id }) => id);
    return { items: await summariesOf(db.query, ids), nextCursor };
  });
