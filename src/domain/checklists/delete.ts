import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewChecklist } from "../views/checklists.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

/** Deletes a checklist with its items. */
export const deleteChecklist = mutation("checklist.delete")
  .meta(
    rest("Cards").delete(
      "/checklists/{checklistPublicId}",
      "Delete a checklist",
      "Deletes a checklist with its items. They cannot be restored. Their texts are erased " +
        "from the history.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { checklist, card, list, board, tx } }) => {
    const after = await tx.prisma.checklist.update({
      where: { id: checklist.id },
      data: { name: "", deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    const items = await tx.prisma.checklistItem.updateManyAndReturn({
      where: { checklistId: checklist.id },
      data: { title: "" },
      select: { publicId: true },
    });
    await eraseTexts(tx, {
      cardPublicId: card.publicId,
      publicId: checklist.publicId,
      partPublicIds: items.map(({ publicId }) => publicId),
    });
    const data = { checklist: viewChecklist(after), card, list, board };
    tx.emit("checklist.deleted", data);
    return success;
  });
