import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

const statements = {
  checklist: (cardId: bigint, position: string) => sql`SELECT count(*) AS index FROM checklists
    WHERE "cardId" = ${cardId} AND "deletedAt" IS NULL AND position < ${position}`,
  checklistItem: (checklistId: bigint, position: string) => sql`
    SELECT count(*) AS index FROM checklist_items
    WHERE "checklistId" = ${checklistId} AND "deletedAt" IS NULL AND position < ${position}`,
};

/** The index of a place among the checklists of a card, or among the items of a checklist. */
export async function indexIn(
  query: Query,
  kind: keyof typeof statements,
  parentId: bigint,
  position: string,
): Promise<number> {
  const [row] = await query<{ index: bigint }>(statements[kind](parentId, position));
  return Number(row?.index ?? 0);
}
