import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewItem } from "../views/checklists.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

/** Deletes a checklist item. */
export const deleteItem = mutation("checklist.deleteItem")
  .meta(
    rest("Cards").delete(
      "/checklists/items/{checklistItemPublicId}",
      "Delete a checklist item",
      "Deletes an item of a checklist. It cannot be restored. Its title is erased from the " +
        "history.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { checklistItem, checklist, card, list, board, tx } }) => {
    const after = await tx.prisma.checklistItem.update({
      where: { id: checklistItem.id },
      data: { title: "", deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    await eraseTexts(tx, { cardPublicId: card.publicId, publicId: checklistItem.publicId });
    tx.emit("checklist_item.deleted", {
      checklistItem: viewItem(after),
      checklist,
      card,
      list,
      board,
    });
    return success;
  });
