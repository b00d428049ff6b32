import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { authorsOf } from "./author.ts";
import { viewComment } from "../views/comments.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

/** Deletes a comment; needs to be its author, or comment:delete. */
export const deleteComment = mutation("comment.delete")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/comments/{commentPublicId}",
      "Delete a comment",
      "The author can delete a comment, and members with comment:delete. It cannot be restored. " +
        "Its text is erased from histories, events and notifications; who wrote when stays.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { comment, card, list, board, workspace, tx } }) => {
    const after = await tx.prisma.comment.update({
      where: { id: comment.id },
      data: { comment: "", deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    await eraseTexts(tx, { cardPublicId: card.publicId, publicId: comment.publicId });
    const authorOf = await authorsOf(tx.query, workspace.id, [after]);
    tx.emit("comment.deleted", {
      comment: viewComment(after, authorOf(after)),
      card,
      list,
      board,
    });
    return success;
  });
