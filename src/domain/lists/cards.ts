import { query } from "../../kernel/procedures/query.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";

const statement = (id: bigint, after: string | null, limit: number) =>
  sql`SELECT c.id, ARRAY[c.position] AS keys FROM cards c
  WHERE c."listId" = ${id} AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL
  AND (${after}::text IS NULL OR c.position > ${after})
  ORDER BY c.position LIMIT ${limit}`;

/** The cards of a list that are not archived, page by page, in their order. */
export const listCards = query("list.cards", Page)
  .meta(
    rest("Lists").get(
      "/lists/{listPublicId}/cards",
      "List the cards of a list",
      "The cards that are not archived, in their order.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { list, db, deps }, input: { limit, cursor } }) => {
    const keyset = pagesByKeys(deps.seal, `cards of list ${list.id}`);
    const [after = null] = keyset.after(cursor) ?? [];
    const found = await db.query<{ id: bigint; keys: string[] }>(
      statement(list.id, after, limit + 1),
    );
    const { rows, nextCursor } = keyset.page(found, limit);
    const items = await summariesOf(
      db.query,
      rows.map(({ id }) => id),
    );
    return { items, nextCursor };
  });
