import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { showWebhook } from "../../domain/presenters/webhooks.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockWebhook } from "./operator-find.ts";

/** Disables a webhook of any workspace. */
export const disableAnyWebhook = mutation(
  "operator.disableWebhook",
  z.strictObject({ webhookPublicId: inputId("webhook") }),
)
  .meta(
    rest("Operator").post(
      "/operator/webhooks/{webhookPublicId}/disable",
      "Disable any webhook",
      "Disables a webhook, as `webhook.update` with `isActive: false` does: its pending " +
        "deliveries fail, and it gets no new ones until the workspace turns it on again.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { tx }, input }) => {
    const { id, active } = await lockWebhook(tx, input.webhookPublicId);
    if (!active) return success;
    const after = await tx.prisma.webhook.update({
      where: { id },
      data: { active: false, version: { increment: 1 }, updatedAt: tx.now },
      include: { board: { select: { publicId: true } } },
    });
    const change = { from: true, to: false };
    const webhook = showWebhook(after, after.board);
    tx.emit("webhook.updated", { webhook }, { isActive: change, active: change });
    return success;
  });
