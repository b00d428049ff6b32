import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter, isWanted } from "../cards/filters.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const Filter = Page.extend({
  ...cardFilter,
  sort: z.enum(["position", "dueDate", "createdAt", "updatedAt"]).default("position").meta({
    description:
      "`position`: list by list, as on the board; `dueDate`: soonest first, those without one last; `createdAt`, `updatedAt`: latest first.",
  }),
});

const soonest = sql`coalesce(c."dueDate", 'infinity')`;
const sorts = {
  position: { by: [sql`l.position`, sql`c.position`], types: [sql`text`, sql`text`], down: false },
  dueDate: { by: [soonest], types: [sql`timestamptz`], down: false },
  createdAt: { by: [sql`c."createdAt"`], types: [sql`timestamptz`], down: true },
  updatedAt: { by: [sql`c."updatedAt"`], types: [sql`timestamptz`], down: true },
} as const;

type After = string[] | null;

/** The next cards of a board that pass a filter, in one of the orders. */
export function cardsInOrder(
  sort: keyof typeof sorts,
  wanted: Sql,
  limit: number,
  after: After,
): Sql {
  const { down } = sorts[sort];
  const columns = [...sorts[sort].by, sql`c.id`];
  const types = [...sorts[sort].types, sql`bigint`];
  const last = types.map(
    (type, index) => sql`(${after}::text[])[${sql.number(index + 1)}]::${type}`,
  );
  const direction = down ? sql`DESC` : sql`ASC`;
  const list = (fragments: Sql[]) => sql.join(fragments, sql`, `);
  return sql`
    SELECT c.id, ARRAY[${list(columns.map((column) => sql`${column}::text`))}] AS keys
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${wanted} AND (${after}::text[] IS NULL
      OR (${list(columns)}) ${down ? sql`<` : sql`>`} (${list(last)}))
    ORDER BY ${list(columns.map((column) => sql`${column} ${direction}`))} LIMIT ${limit}`;
}

/** The cards of a board, page by page, in one of four orders. */
export const listBoardCards = query("board.cards", Filter)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/cards",
      "List the cards of a board",
      "The cards of a board, page by page, through the filters of `board.get`, in one of four orders.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { board, db, deps }, input }) => {
    const { sort, limit, cursor, ...wanted } = input;
    const keyset = pagesByKeys(deps.seal, `cards of ${board.id} by ${sort}`);
    const found = await db.query<{ id: bigint; keys: string[] }>(
      cardsInOrder(
        sort,
        isWanted(board.id, { ...wanted, now: deps.clock() }),
        limit + 1,
        keyset.after(cursor) ?? null,
      ),
    );
    const { rows, nextCursor } = keyset.page(found, limit);
    const items = await summariesOf(
      db.query,
      rows.map(({ id }) => id),
    );
    return { items, nextCursor };
  });
