import { query } from "../../kernel/procedures/query.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const statement = `SELECT c.id, ARRAY[c.position] AS keys FROM cards c
  WHERE c."listId" = $1 AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL
    AND ($2::text IS NULL OR c.position > $2)
  ORDER BY c.position LIMIT $3`;

/** Lists the cards of a list that are not archived, in order. */
export const listCards = query("list.cards", Page)
  .meta(
    rest("Lists").get(
      "/lists/{listPublicId}/cards",
      "List the cards of a list",
      "The cards that are not archived, in order.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { list, db, deps }, input: { limit, cursor } }) => {
    const keyset = pagesByKeys(deps.seal, `cards of list ${list.id}`);
    const [after = null] = keyset.after(cursor) ?? [];
    const values = [list.id, after, limit + 1];
    const found = await db.query<{ id: bigint; keys: string[] }>(statement, values);
    const { rows, nextCursor } = keyset.page(found, limit);
    const ids = rows.map(({ id }) => id);
    return { items: await summariesOf(db.query, ids), nextCursor };
  });
