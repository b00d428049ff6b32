import type { Query } from "../../platform/db/query.ts";
import { viewItem, type ItemView } from "../views/checklists.ts";
import { sql } from "../../platform/db/sql.ts";

const statement = (checklistId: bigint) =>
  sql`SELECT i."publicId", i.title, i."completedAt", i."dueDate", i.version,
    m."publicId" AS "memberPublicId"
  FROM checklist_items i LEFT JOIN members m ON m.id = i."memberId"
  WHERE i."checklistId" = ${checklistId} AND i."deletedAt" IS NULL ORDER BY i.position`;

/** The items of a checklist, in order. */
export async function itemsOf(query: Query, checklistId: bigint) {
  const rows = await query<ItemView>(statement(checklistId));
  return rows.map(viewItem);
}
