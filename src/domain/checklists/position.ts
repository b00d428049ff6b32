import type { Query } from "../../platform/db/query.ts";

const counted = (table: string, parent: string) =>
  `SELECT count(*) AS index FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL AND position < $2`;
const statements = {
  checklist: counted("checklists", "cardId"),
  checklistItem: counted("checklist_items", "checklistId"),
};

/** The index of a place among the checklists of a card, or among the items of a checklist. */
export async function indexIn(
  query: Query,
  kind: keyof typeof statements,
  parentId: bigint,
  position: string,
): Promise<number> {
  const [row] = await query<{ index: bigint }>(statements[kind], [parentId, position]);
  return Number(row?.index ?? 0);
}
