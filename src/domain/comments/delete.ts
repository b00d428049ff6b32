import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import type { Query } from "../../platform/db/query.ts";
import { updateRow } from "../../platform/db/write.ts";
import { cardWithId, commentsIn, noteState, readCard } from "../cards/event-fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { authorsOf } from "./author.ts";
import { viewComment } from "../views/comments.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

const readCardOf = (query: Query, { cardPublicId }: { cardPublicId: string }) =>
  readCard(query, cardWithId(cardPublicId));

/** Deletes a comment; needs to be its author, or comment:delete. */
export const deleteComment = mutation("comment.delete", z.strictObject({}), readCardOf)
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/comments/{commentPublicId}",
      "Delete a comment",
      "The author can delete a comment, and members with comment:delete. It cannot be restored. " +
        "Its text is erased from histories, events and notifications; who wrote when stays.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    const { comment, card, list, board, workspace, tx } = ctx;
    const written = { comment: "", deletedAt: tx.now, updatedAt: tx.now };
    const after = updateRow(tx, "comments", comment, written);
    const [authorOf] = await Promise.all([
      authorsOf(tx.query, workspace.id, [after]),
      eraseTexts(tx, { cardPublicId: card.publicId, publicId: comment.publicId }),
    ]);
    const { card: whole, eventFields } = await ctx.early;
    noteState(tx, whole, ctx, eventFields, { commentCount: commentsIn(eventFields) - 1 });
    tx.emit("comment.deleted", {
      comment: viewComment(after, authorOf(after)),
      card,
      list,
      board,
    });
    return success;
  });
