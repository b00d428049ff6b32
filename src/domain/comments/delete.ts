import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { forgetComment } from "../search/index-texts.ts";
import { authorsOf } from "./author.ts";
import { showComment } from "../presenters/comments.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

/** Deletes a comment; needs to be its author, or comment:delete. */
export const deleteComment = mutation("comment.delete")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/comments/{commentPublicId}",
      "Delete a comment",
      "Deletes a comment. It cannot be restored. The text is erased from histories, events and " +
        "notifications; its author and time are kept.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    const { comment, card, list, board, workspace, tx } = ctx;
    const erased = { comment: "", deletedAt: tx.now, updatedAt: tx.now };
    const after = updateRow(tx, "comments", comment, erased);
    void forgetComment(tx.query, comment.id);
    const [authorOf] = await Promise.all([
      authorsOf(tx.query, workspace.id, [after]),
      eraseTexts(tx, { cardPublicId: card.publicId, publicId: comment.publicId }),
    ]);
    tx.emit("comment.deleted", {
      comment: showComment(after, authorOf(after)),
      card,
      list,
      board,
    });
    return success;
  });
