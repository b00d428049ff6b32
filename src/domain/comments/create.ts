import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { authorsOf } from "./author.ts";
import { Comment } from "../../contract/resources/comments.ts";
import { viewComment } from "../views/comments.ts";

/** The text of a comment. */
export const CommentText = z.strictObject({
  comment: text(1, 20_000).meta({
    description: "Markdown; `@[name](memberPublicId)` mentions a member.",
  }),
});

/** Adds a comment to a card. */
export const createComment = mutation("comment.create", CommentText)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/comments",
      "Add a comment to a card",
      "Adds a comment in Markdown. `@[name](memberPublicId)` mentions a member, who is notified.",
    ),
  )
  .output(Comment)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, workspace, caller, created, tx } = ctx;
    const { publicId, existing } = created;
    if (existing !== null) {
      const { comment } = existing;
      return viewComment(comment, (await authorsOf(tx.query, workspace.id, [comment]))(comment));
    }
    const row = await tx.prisma.comment.create({
      data: {
        publicId,
        workspaceId: workspace.id,
        cardId: card.id,
        comment: input.comment,
        createdById: caller.userId,
        authorName: caller.name,
        createdAt: tx.now,
        updatedAt: tx.now,
      },
    });
    const authorOf = await authorsOf(tx.query, workspace.id, [row]);
    const comment = viewComment(row, authorOf(row));
    tx.emit("comment.created", { comment, card, list, board });
    return comment;
  });
