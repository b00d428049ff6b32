import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showItem } from "../presenters/checklists.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { TargetResources } from "../../kernel/access/resources.ts";

/** Deletes a checklist item. */
export const deleteItem = mutation("checklist.deleteItem")
  .meta(
    rest("Cards").delete(
      "/checklists/items/{checklistItemPublicId}",
      "Delete a checklist item",
      "Deletes an item of a checklist. A deleted item cannot be restored, and its title is " +
        "erased from the history.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    await removeItem(ctx);
    return success;
  });

type Context = TargetResources<"checklistItem"> & { tx: UnitOfWork<"checklist_item.deleted"> };

/** Deletes a locked item, with its title in the history. */
export async function removeItem({
  checklistItem,
  checklist,
  card,
  list,
  board,
  tx,
}: Context): Promise<void> {
  const erased = { title: "", deletedAt: tx.now, updatedAt: tx.now };
  const after = updateRow(tx, "checklist_items", checklistItem, erased);
  const { publicId } = checklistItem;
  await eraseTexts(tx, { cardPublicId: card.publicId, publicId, moves: true });
  tx.emit("checklist_item.deleted", {
    checklistItem: showItem(after),
    checklist,
    card,
    list,
    board,
  });
}
