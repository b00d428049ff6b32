import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { FailureReason, StatusCode } from "../../contract/fields/shared.ts";
import { iso, Timestamp } from "../../contract/vocabulary/texts.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { notFound } from "../../platform/errors.ts";
import { Delivery, findDelivery, viewDelivery } from "./delivery-view.ts";

const Attempt = z
  .object({
    number: z.int().meta({ description: "The number of the attempt, from 1.", examples: [1] }),
    startedAt: Timestamp.meta({
      description: "When it started, in UTC. Null until then.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
    durationMs: z
      .int()
      .meta({ description: "How long the attempt took, in milliseconds.", examples: [84] }),
    statusCode: StatusCode,
    error: FailureReason,
    response: z
      .string()
      .nullable()
      .meta({
        examples: ["ok"],
        description:
          "The first 4 kB of the receiver's response. Empty once the workspace has stored " +
          "256 MiB of responses in a day.",
      }),
  })
  .meta({ id: "DeliveryAttempt", description: "One request to a webhook." });
const DeliveryWithAttempts = Delivery.extend({
  attempts: z.array(Attempt).meta({ description: "The attempts, in order." }),
}).meta({
  id: "DeliveryWithAttempts",
  description: "One event for one webhook, with all attempts.",
});

/** Returns one delivery with its attempts. */
export const getDelivery = query(
  "webhook.delivery",
  z.strictObject({ deliveryPublicId: inputId("delivery") }),
)
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
