import { query } from "../../kernel/procedures/query.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { ChecklistItem } from "../../contract/resources/checklists.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showItem, type ItemView } from "../presenters/checklists.ts";

/** Lists the items of a checklist, in order. */
export const listItems = query("checklist.items", Page)
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}/checklists/{checklistPublicId}/items",
      "List the items of a checklist",
      "Returns all items of a checklist, in order. Use this operation if `itemCount` in " +
        "`card.get` is larger than the length of `items`: `card.get` shows at most 8 MB of items.",
    ),
  )
  .output(pageOf(ChecklistItem))
  .query(async ({ ctx: { checklist, db, deps }, input: { limit, cursor } }) => {
    const keyset = pagesByKeys(deps.seal, `items in checklist ${checklist.id}`);
    const [position, last] = keyset.after(cursor) ?? [];
    // An item has another position after its checklist was renumbered; a deleted one has the old.
    const after = sql`coalesce((SELECT a.position FROM checklist_items a
      WHERE a.id = ${last ?? null}::bigint AND a."checklistId" = ${checklist.id}
        AND a."deletedAt" IS NULL), ${position ?? null}::numeric)`;
    const itemRows = await db.query<ItemView & { keys: string[] }>(sql`
      SELECT i."publicId", i.title, i."completedAt", i."dueDate", i."isDueAllDay", i.version,
        m."publicId" AS "memberPublicId", ARRAY[i.position::text, i.id::text] AS keys
      FROM checklist_items i LEFT JOIN members m ON m.id = i."memberId"
      WHERE i."checklistId" = ${checklist.id} AND i."deletedAt" IS NULL
        ${cursor === undefined ? sql.empty : sql`AND i.position > ${after}`}
      ORDER BY i.position LIMIT ${limit + 1}`);
    const { rows, nextCursor } = keyset.page(itemRows, limit);
    return { items: rows.map(showItem), nextCursor };
  });
