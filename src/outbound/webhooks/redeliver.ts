import { z } from "zod";
import { inputId, idOf } from "../../contract/vocabulary/ids.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Webhook as WebhookRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import { Delivery, findDelivery, findLatest, viewDelivery } from "./delivery-view.ts";
import { checkActive, queueEvents } from "./queue-events.ts";

const deliveries = "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/deliveries";

/** A delivery with its webhook. */
export const DeliveryWithWebhook = Delivery.extend({ webhookPublicId: idOf("webhook") }).meta({
  id: "DeliveryWithWebhook",
  description: "One event for one webhook, with the webhook.",
});

/** Sends an event to a webhook again, now. */
export const redeliver = mutation(
  "webhook.redeliver",
  z.strictObject({ deliveryPublicId: inputId("delivery") }),
)
  .meta(
    rest("Webhooks").post(
      `${deliveries}/{deliveryPublicId}/redeliver`,
      "Redeliver an event",
      "Sends an event to a webhook again, as a new delivery with the same `webhook-id`, and " +
        "returns the delivery. If a delivery of the event is pending, it is attempted now " +
        "instead. Returns 409 if the webhook is inactive or the event was deleted.",
    ),
  )
  .output(DeliveryWithWebhook)
  .mutation(({ ctx: { webhook, tx }, input: { deliveryPublicId } }) =>
    redeliverTo(tx, webhook, deliveryPublicId),
  );

/** Sends the event of a delivery to a locked webhook again; returns the new delivery. */
export async function redeliverTo(
  tx: UnitOfWork<never>,
  webhook: WebhookRow,
  deliveryPublicId: string,
): Promise<z.infer<typeof DeliveryWithWebhook>> {
  checkActive(webhook);
  const delivery = await findDelivery(tx.query, webhook.id, deliveryPublicId);
  if (delivery === undefined) throw notFound("delivery");
  const { eventId } = delivery;
  if (eventId === null) {
    throw conflict(
      "event_expired",
      "The event was deleted: it is older than the retention period.",
    );
  }
  await tx.query(sql`UPDATE deliveries SET "nextAttemptAt" = ${tx.now}::timestamptz
    WHERE "webhookId" = ${webhook.id} AND "eventId" = ${eventId} AND status = 'pending'`);
  await queueEvents(tx, webhook, [eventId]);
  const latest = (await findLatest(tx.query, webhook.id, eventId)) ?? delivery;
  return { ...viewDelivery(latest), webhookPublicId: webhook.publicId };
}
