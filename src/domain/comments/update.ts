import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { authorsOf } from "./author.ts";
import { CommentText } from "./create.ts";
import { Comment } from "../../contract/resources/comments.ts";
import { viewComment } from "../views/comments.ts";

/** Changes a comment; needs to be its author, or comment:edit. */
export const updateComment = mutation("comment.update", CommentText)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/comments/{commentPublicId}",
      "Change a comment",
      "The author can change a comment, and members with comment:edit. Newly mentioned members " +
        "are notified.",
    ),
  )
  .output(Comment)
  .mutation(async ({ ctx, input }) => {
    const { comment, card, list, board, workspace, tx } = ctx;
    const authorOf = await authorsOf(tx.query, workspace.id, [comment]);
    if (input.comment === comment.comment) return viewComment(comment, authorOf(comment));
    const after = await tx.prisma.comment.update({
      where: { id: comment.id },
      data: { comment: input.comment, version: { increment: 1 }, updatedAt: tx.now },
    });
    const shown = viewComment(after, authorOf(after));
    tx.emit(
      "comment.updated",
      { comment: shown, card, list, board },
      { comment: { from: comment.comment, to: after.comment } },
    );
    return shown;
  });
