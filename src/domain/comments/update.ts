import { mutation } from "../../kernel/procedures/mutation.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { indexTexts, textOfComment } from "../search/index-texts.ts";
import { authorsOf } from "./author.ts";
import { CommentText } from "./create.ts";
import { CommentDetail } from "../../contract/resources/comments.ts";
import { showComment } from "../presenters/comments.ts";

/** Changes a comment; needs to be its author, or comment:edit. */
export const updateComment = mutation("comment.update", CommentText)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/comments/{commentPublicId}",
      "Update a comment",
      "Changes the text of a comment. Newly mentioned members are notified.",
    ),
  )
  .output(CommentDetail)
  .mutation(async ({ ctx, input }) => {
    const { comment, card, list, board, workspace, tx } = ctx;
    const authorOf = await authorsOf(tx.query, workspace.id, [comment]);
    const cardPublicId = card.publicId;
    if (input.comment === comment.comment) {
      return { ...showComment(comment, authorOf(comment)), cardPublicId };
    }
    const changedColumns = { comment: input.comment, updatedAt: tx.now };
    const after = updateRow(tx, "comments", comment, changedColumns);
    indexTexts(tx.query, comment, [textOfComment(comment.id, board.id, after.comment)]);
    const shownComment = showComment(after, authorOf(after));
    tx.emit(
      "comment.updated",
      { comment: shownComment, card, list, board },
      { comment: { from: comment.comment, to: after.comment } },
    );
    return { ...shownComment, cardPublicId };
  });
