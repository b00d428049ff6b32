import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter, isSelected, selectionValues } from "../cards/filters.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";

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

const dueDate = `coalesce(c."dueDate", 'infinity')`;
const sorts = {
  position: { by: ["l.position", "c.position"], types: ["text", "text"], descending: false },
  dueDate: { by: [dueDate], types: ["timestamptz"], descending: false },
  createdAt: { by: [`c."createdAt"`], types: ["timestamptz"], descending: true },
  updatedAt: { by: [`c."updatedAt"`], types: ["timestamptz"], descending: true },
} as const;

/** SQL: a page of selected cards in an order; $8 is the limit, $9 the last card's sort keys. */
export function selectPage(sort: keyof typeof sorts): string {
  const { by, types, descending } = sorts[sort];
  const keys = [...by, "c.id"];
  const last = [...types, "bigint"].map((type, nth) => `($9::text[])[${nth + 1}]::${type}`);
  const [operator, direction] = descending ? ["<", "DESC"] : [">", "ASC"];
  return `SELECT c.id, ARRAY[${keys.map((key) => `${key}::text`).join(", ")}] AS keys
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${isSelected}
      AND ($9::text[] IS NULL OR (${keys.join(", ")}) ${operator} (${last.join(", ")}))
    ORDER BY ${keys.map((key) => `${key} ${direction}`).join(", ")} LIMIT $8`;
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
  .query(async ({ ctx: { board, db, deps }, input }) => {
    const { sort, limit, cursor, ...selection } = input;
    const keyset = pagesByKeys(deps.seal, `cards of ${board.id} by ${sort}`);
    const found = await db.query<{ id: bigint; keys: string[] }>(selectPage(sort), [
      ...selectionValues(board.id, { ...selection, now: deps.clock() }),
      limit + 1,
      keyset.after(cursor) ?? null,
    ]);
    const { rows, nextCursor } = keyset.page(found, limit);
    const ids = rows.map(({ id }) => id);
    return { items: await summariesOf(db.query, ids), nextCursor };
  });
