import { success, Success } from "../../contract/vocabulary/texts.ts";
import { showWebhook } from "../../domain/presenters/webhooks.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Deletes a webhook; its pending deliveries fail. */
export const deleteWebhook = mutation("webhook.delete")
  .meta(
    rest("Webhooks").delete(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
      "Delete a webhook",
      "Deletes a webhook. Its pending deliveries are not sent.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { webhook, tx } }) => {
    const after = await tx.prisma.webhook.update({
      where: { id: webhook.id },
      data: { deletedAt: tx.now, active: false, version: { increment: 1 }, updatedAt: tx.now },
      include: { board: true },
    });
    tx.emit("webhook.deleted", { webhook: showWebhook(after, after.board) });
    return success;
  });
