import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { iso, PublicId, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
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
      .meta({ description: "The first 4 kB of what the target answered." }),
  })
  .meta({ id: "DeliveryAttempt" });
const WithAttempts = Delivery.extend({ attempts: z.array(Attempt) }).meta({
  id: "DeliveryWithAttempts",
});

/** One delivery with every attempt at it. */
export const getDelivery = query("webhook.delivery", z.strictObject({ deliveryPublicId: PublicId }))
  .meta(
    rest("Webhooks").get(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/deliveries/{deliveryPublicId}",
      "Read a delivery",
      "With every attempt so far: when, how long it took, the status, what went wrong, and the first 4 kB of the answer.",
    ),
  )
  .output(WithAttempts)
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
      attempts: attempts.map(({ startedAt, ...attempt }) => ({
        ...attempt,
        startedAt: iso(startedAt),
      })),
    };
  });
