import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showLabel } from "../presenters/labels.ts";

/** Deletes a label, and removes it from all cards. */
export const deleteLabel = mutation("label.delete")
  .meta(
    rest("Labels").delete(
      "/labels/{labelPublicId}",
      "Delete a label",
      "Deletes a label and removes it from all cards of the board. A deleted label cannot be " +
        "restored.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { label, board, tx } }) => {
    const after = await tx.prisma.label.update({
      where: { id: label.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("label.deleted", { label: showLabel(after), board });
    return success;
  });
