import type { z } from "zod";
import type {
  ChecklistDetail,
  ChecklistItem,
  ChecklistItemDetail,
} from "../../contract/resources/checklists.ts";
import type { Query } from "../../platform/db/query.ts";
import type {
  Checklist as ChecklistRow,
  ChecklistItem as ItemRow,
} from "../../platform/db/rows.ts";
import { readIndex } from "../../kernel/positions.ts";
import { sql } from "../../platform/db/sql.ts";
import { showChecklist, showItem, type ItemView } from "../presenters/checklists.ts";

type Card = { id: bigint; publicId: string };

const allItems = (checklistId: bigint) =>
  sql`SELECT i."publicId", i.title, i."completedAt", i."dueDate", i."isDueAllDay", i.version,
    m."publicId" AS "memberPublicId"
  FROM checklist_items i LEFT JOIN members m ON m.id = i."memberId"
  WHERE i."checklistId" = ${checklistId} AND i."deletedAt" IS NULL ORDER BY i.position`;

/** A checklist with its items and its index on a card. */
export async function checklistDetail(
  query: Query,
  checklist: ChecklistRow,
  card: Card,
): Promise<z.infer<typeof ChecklistDetail>> {
  const [items, index] = await Promise.all([
    query<ItemView>(allItems(checklist.id)),
    readIndex(query, "checklist", checklist.id),
  ]);
  return {
    ...showChecklist(checklist),
    itemCount: items.length,
    items: items.map(showItem),
    cardPublicId: card.publicId,
    index,
  };
}

type Parents = { checklist: { id: bigint; publicId: string }; card: Card };

/** An item whose index in a checklist is known. */
export const detailAt = (
  index: number,
  view: z.infer<typeof ChecklistItem>,
  { checklist, card }: Parents,
): z.infer<typeof ChecklistItemDetail> => ({
  ...view,
  checklistPublicId: checklist.publicId,
  cardPublicId: card.publicId,
  index,
});

/** An item with its index in a checklist. */
export async function itemDetail(
  query: Query,
  { id }: Pick<ItemRow, "id">,
  view: z.infer<typeof ChecklistItem>,
  parents: Parents,
): Promise<z.infer<typeof ChecklistItemDetail>> {
  return detailAt(await readIndex(query, "checklistItem", id), view, parents);
}
