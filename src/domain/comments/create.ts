import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { text } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { indexTexts, textOfComment } from "../search/index-texts.ts";
import { authorsOf } from "./author.ts";
import { CommentDetail } from "../../contract/resources/comments.ts";
import type { Comment } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { showComment } from "../presenters/comments.ts";
import { firstRow } from "../../platform/db/query.ts";

/** The text of a comment. */
export const CommentText = z.strictObject({
  comment: text(1, 20_000).meta({
    examples: ["Looks good to me."],
    description: "Markdown; `@[name](memberPublicId)` mentions a member.",
  }),
});

/** Adds a comment to a card. */
export const createComment = mutation("comment.create", CommentText, {
  async onReplay({ comment, card, workspace, tx }) {
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
    const [rows, authorOf] = await Promise.all([
      tx.query<Comment>(sql`INSERT INTO comments ("publicId", "workspaceId", "cardId", comment,
          "createdById", "authorName", "createdAt", "updatedAt")
        VALUES (${newId}, ${workspace.id}, ${card.id}, ${input.comment}, ${caller.userId},
          ${caller.name}, ${tx.now}::timestamptz, ${tx.now}::timestamptz) RETURNING *`),
      authorsOf(tx.query, workspace.id, [author]),
    ]);
    const row = firstRow(rows);
    indexTexts(tx.query, row, [textOfComment(row.id, board.id, row.comment)]);
    const comment = showComment(row, authorOf(row));
    tx.emit("comment.created", { comment, card, list, board });
    return { ...comment, cardPublicId: card.publicId };
  });
