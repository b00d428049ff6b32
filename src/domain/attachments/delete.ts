import { mutation } from "../../kernel/procedures/mutation.ts";
import { cardName } from "../views/cards.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewAttachment } from "../views/attachments.ts";

/** Takes a file or a link off a card; the bytes go when the trash is emptied. */
export const deleteAttachment = mutation("attachment.delete")
  .meta(
    rest("Attachments").delete(
      "/attachments/{attachmentPublicId}",
      "Delete an attachment",
      "Takes a file or a link off its card. The file's bytes are removed when the trash is emptied.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { attachment, card, list, board, workspace, deps, tx } }) => {
    const after = await tx.prisma.attachment.update({
      where: { id: attachment.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    // What was only prepared has never been announced.
    if (attachment.status === "pending") return success;
    tx.emit("attachment.deleted", {
      attachment: viewAttachment(after, `${deps.baseUrl}/api/v1`),
      card: cardName(card, workspace),
      list,
      board,
    });
    return success;
  });
