import { mayWrite } from "../../kernel/procedures.ts";
import { cardName } from "../views/cards.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { authorsOf } from "./author.ts";
import { viewComment } from "../views/comments.ts";

/** Deletes a comment; its author may, and whoever holds comment:delete. */
export const deleteComment = mayWrite("comment.delete")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/comments/{commentPublicId}",
      "Delete a comment",
      "Its author may, and whoever holds comment:delete.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { comment, card, list, board, workspace, work } }) => {
    const after = await work.tx.comment.update({
      where: { id: comment.id },
      data: { deletedAt: work.now, version: { increment: 1 }, updatedAt: work.now },
    });
    const authorOf = await authorsOf(work.query, workspace.id, [after]);
    work.emit("comment.deleted", {
      comment: viewComment(after, authorOf(after)),
      card: cardName(card, workspace),
      list,
      board,
    });
    return success;
  });
