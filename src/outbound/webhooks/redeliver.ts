import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import {
  Delivery,
  findDelivery,
  selectDeliveries,
  viewDelivery,
  type DeliveryRow,
} from "./delivery-view.ts";
import { checkActive, queueAgain } from "./requeue.ts";
import { sql } from "../../platform/db/sql.ts";

const hasten = (id: bigint, eventId: bigint, now: Date) =>
  sql`UPDATE deliveries SET "nextAttemptAt" = ${now}::timestamptz
  WHERE "webhookId" = ${id} AND "eventId" = ${eventId} AND status = 'pending'`;
const latest = `${selectDeliveries} AND d."eventId" = $2 ORDER BY d.id DESC LIMIT 1`;

/** Sends an event to a webhook once more, at once; one that still waits is not queued twice but tried now. */
export const redeliver = mutation(
  "webhook.redeliver",
  z.strictObject({ deliveryPublicId: PublicId }),
)
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/deliveries/{deliveryPublicId}/redeliver",
      "Send a delivery once more",
      "Queues the event again, with the same `webhook-id`, as a delivery with attempts of its own, and answers that. While one still waits, that one is tried now. 409 when the webhook is not active or the event is not kept any more.",
    ),
  )
  .output(Delivery)
  .mutation(async ({ ctx: { webhook, tx }, input: { deliveryPublicId } }) => {
    checkActive(webhook);
    const found = await findDelivery(tx.query, webhook.id, deliveryPublicId);
    if (found === undefined) throw notFound("delivery");
    if (found.eventId === null) throw conflict("The event is not kept any more.");
    await tx.query(hasten(webhook.id, found.eventId, tx.now));
    await queueAgain(tx, webhook, [found.eventId]);
    const [row = found] = await tx.query<DeliveryRow>(latest, [webhook.id, found.eventId]);
    return viewDelivery(row);
  });
