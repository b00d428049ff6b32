import { mayWrite } from "../access/may.ts";
import { success, Success } from "../fields.ts";
import { rest } from "../http/rest.ts";

/** Deletes a webhook; nothing more is sent to it. */
export const deleteWebhook = mayWrite("webhook.delete")
  .meta(
    rest("Webhooks").delete(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
      "Delete a webhook",
      "Deletes a webhook; nothing more is sent to it.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { webhook, work } }) => {
    await work.tx.webhook.update({
      where: { id: webhook.id },
      data: { deletedAt: work.now, active: false, version: { increment: 1 }, updatedAt: work.now },
    });
    return success;
  });
