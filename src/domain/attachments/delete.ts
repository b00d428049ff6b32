import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showAttachment } from "../presenters/attachments.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

/** Deletes an attachment. */
export const deleteAttachment = mutation("attachment.delete")
  .meta(
    rest("Attachments").delete(
      "/attachments/{attachmentPublicId}",
      "Delete an attachment",
      "Deletes a file or link of a card. A file's bytes are deleted when it is purged " +
        "(`TRASH_DAYS`). The name is erased from the history.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    const { attachment, card, list, board, deps, tx } = ctx;
    const erased = { filename: "", url: null, deletedAt: tx.now, updatedAt: tx.now };
    const after = updateRow(tx, "attachments", attachment, erased);
    await eraseTexts(tx, { cardPublicId: card.publicId, publicId: attachment.publicId });
    // No event reported a pending upload.
    if (attachment.status === "pending") return success;
    tx.emit("attachment.deleted", {
      attachment: showAttachment(after, `${deps.baseUrl}/api/v1`),
      card,
      list,
      board,
    });
    return success;
  });
