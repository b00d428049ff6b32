import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { updateRow } from "../../platform/db/write.ts";
import { itemsIn, noteState, readCard } from "../cards/event-fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewItem } from "../views/checklists.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

const readCardOf = (query: Query, input: { checklistItemPublicId: string }) =>
  readCard(
    query,
    sql`c.id = (SELECT ch."cardId" FROM checklist_items i
      JOIN checklists ch ON ch.id = i."checklistId"
      WHERE i."publicId" = ${input.checklistItemPublicId})`,
  );

/** Deletes a checklist item. */
export const deleteItem = mutation("checklist.deleteItem", z.strictObject({}), readCardOf)
  .meta(
    rest("Cards").delete(
      "/checklists/items/{checklistItemPublicId}",
      "Delete a checklist item",
      "Deletes an item of a checklist. It cannot be restored. Its title is erased from the " +
        "history.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    const { checklistItem, checklist, card, list, board, tx } = ctx;
    const written = { title: "", deletedAt: tx.now, updatedAt: tx.now };
    const after = updateRow(tx, "checklist_items", checklistItem, written);
    await eraseTexts(tx, { cardPublicId: card.publicId, publicId: checklistItem.publicId });
    const { card: whole, eventFields } = await ctx.early;
    const { total, completed } = itemsIn(eventFields);
    const done = Number(checklistItem.completedAt !== null);
    const checklistItems = { total: total - 1, completed: completed - done };
    noteState(tx, whole, ctx, eventFields, { checklistItems });
    tx.emit("checklist_item.deleted", {
      checklistItem: viewItem(after),
      checklist,
      card,
      list,
      board,
    });
    return success;
  });
