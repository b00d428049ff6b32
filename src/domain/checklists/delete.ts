import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewChecklist } from "../views/checklists.ts";

/** Deletes a checklist with its items. */
export const deleteChecklist = mutation("checklist.delete")
  .meta(
    rest("Cards").delete(
      "/checklists/{checklistPublicId}",
      "Delete a checklist",
      "Deletes a checklist with its items. They cannot be restored.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { checklist, card, list, board, tx } }) => {
    const after = await tx.prisma.checklist.update({
      where: { id: checklist.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    const data = { checklist: viewChecklist(after), card, list, board };
    tx.emit("checklist.deleted", data);
    return success;
  });
