import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { authorsOf } from "./author.ts";
import { CommentDetail } from "../../contract/resources/comments.ts";
import type { Comment } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { showComment } from "../shown/comments.ts";

/** The text of a comment. */
export const CommentText = z.strictObject({
  comment: text(1, 20_000).meta({
    examples: ["Looks good to me."],
    description: "Markdown; `@[name](memberPublicId)` mentions a member.",
  }),
});

/** Adds a comment to a card. */
export const createComment = mutation("comment.create", CommentText, {
  async again({ comment, card, workspace, tx }) {
    const author = (await authorsOf(tx.query, workspace.id, [comment]))(comment);
    return { ...showComment(comment, author), cardPublicId: card.publicId };
  },
})
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/comments",
      "Add a comment to a card",
      "Adds a comment in Markdown to a card. `@[name](memberPublicId)` mentions a member, who is " +
        "notified.",
    ),
  )
  .output(CommentDetail)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, workspace, caller, newId, tx } = ctx;
    const author = { createdById: caller.userId, importSource: null, importAuthorId: null };
    const [[row], authorOf] = await Promise.all([
      tx.query<Comment>(sql`INSERT INTO comments ("publicId", "workspaceId", "cardId", comment,
          "createdById", "authorName", "createdAt", "updatedAt")
        VALUES (${newId}, ${workspace.id}, ${card.id}, ${input.comment}, ${caller.userId},
          ${caller.name}, ${tx.now}::timestamptz, ${tx.now}::timestamptz) RETURNING *`),
      authorsOf(tx.query, workspace.id, [author]),
    ]);
    if (row === undefined) throw new Error("The insert returned no comment.");
    const comment = showComment(row, authorOf(row));
    tx.emit("comment.created", { comment, card, list, board });
    return { ...comment, cardPublicId: card.publicId };
  });
