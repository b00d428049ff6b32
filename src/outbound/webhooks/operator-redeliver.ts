import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockWebhook } from "./operator-find.ts";
import { DeliveryWithWebhook, redeliverTo } from "./redeliver.ts";

const Retry = z.strictObject({
  webhookPublicId: inputId("webhook"),
  deliveryPublicId: inputId("delivery"),
});

/** Sends an event to a webhook of any workspace again, now. */
export const retryAnyDelivery = mutation("operator.retryDelivery", Retry)
  .meta(
    rest("Operator").post(
      "/operator/webhooks/{webhookPublicId}/deliveries/{deliveryPublicId}/retry",
      "Retry a delivery of any webhook",
      "Sends an event to a webhook again, as `webhook.redeliver` does. Returns 409 if the webhook " +
        "is inactive or the event was deleted.",
    ),
  )
  .output(DeliveryWithWebhook)
  .mutation(async ({ ctx: { tx }, input }) =>
    redeliverTo(tx, await lockWebhook(tx, input.webhookPublicId), input.deliveryPublicId),
  );
