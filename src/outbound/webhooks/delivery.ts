import { z } from "zod";
import { iso, PublicId, Timestamp } from "../../contract/vocabulary/fields.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { notFound } from "../../platform/errors.ts";
import { Delivery, findDelivery, viewDelivery } from "./delivery-view.ts";

const Attempt = z
  .object({
    number: z.int(),
    startedAt: Timestamp,
    durationMs: z.int(),
    statusCode: z.int().nullable(),
    error: z.string().nullable(),
    response: z
      .string()
      .nullable()
      .meta({
        description:
          "The first 4 kB of the receiver's response. Empty once the workspace has stored " +
          "256 MiB of responses in a day.",
      }),
  })
  .meta({ id: "DeliveryAttempt" });
const DeliveryWithAttempts = Delivery.extend({ attempts: z.array(Attempt) }).meta({
  id: "DeliveryWithAttempts",
});

/** Returns one delivery with its attempts. */
export const getDelivery = query("webhook.delivery", z.strictObject({ deliveryPublicId: PublicId }))
  .meta(
    rest("Webhooks").get(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/deliveries/{deliveryPublicId}",
      "Get a delivery",
      "Returns a delivery with every attempt: start, duration, status, error, and the first 4 kB " +
        "of the response.",
    ),
  )
  .output(DeliveryWithAttempts)
  .query(async ({ ctx: { webhook, db }, input: { deliveryPublicId } }) => {
    const row = await findDelivery(db.query, webhook.id, deliveryPublicId);
    if (row === undefined) throw notFound("delivery");
    const attempts = await db.deliveryAttempt.findMany({
      where: { deliveryId: row.id },
      orderBy: { number: "asc" },
      omit: { id: true, deliveryId: true },
    });
    return {
      ...viewDelivery(row),
      attempts: attempts.map((attempt) => ({ ...attempt, startedAt: iso(attempt.startedAt) })),
    };
  });
