import { query } from "../../kernel/procedures/query.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Lists the cards of a list that are not archived, in order. */
export const listCards = query("list.cards", Page)
  .meta(
    rest("Lists").get(
      "/lists/{listPublicId}/cards",
      "List the cards of a list",
      "Returns the cards of a list that are not archived, in order.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { list, db, deps }, input: { limit, cursor } }) => {
    const keyset = pagesByKeys(deps.seal, `cards in list ${list.id}`);
    const [position, last] = keyset.after(cursor) ?? [];
    // A card has another position after its list was renumbered; one that has left has the old.
    const after = sql`coalesce((SELECT a.position FROM cards a WHERE a.id = ${last ?? null}::bigint
      AND a."listId" = ${list.id} AND a."deletedAt" IS NULL), ${position ?? null}::numeric)`;
    const pageRows = await db.query<{ id: bigint; keys: string[] }>(sql`
      SELECT c.id, ARRAY[c.position::text, c.id::text] AS keys FROM cards c
      WHERE c."listId" = ${list.id} AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL
        ${cursor === undefined ? sql.empty : sql`AND c.position > ${after}`}
      ORDER BY c.position LIMIT ${limit + 1}`);
    const { rows, nextCursor } = keyset.page(pageRows, limit);
    const ids = rows.map(({ id }) => id);
    return { items: await summariesOf(db.query, ids), nextCursor };
  });
