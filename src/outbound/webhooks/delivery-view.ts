import { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import { iso, isoOrNull, Timestamp } from "../../contract/vocabulary/fields.ts";

/** What can become of a delivery. */
export const statuses = ["pending", "succeeded", "failed"] as const;

/** One event on its way to one webhook: what the last attempt was answered, and why it failed. */
export const Delivery = z
  .object({
    publicId: z.string(),
    eventPublicId: z
      .string()
      .nullable()
      .meta({ description: "The `webhook-id` that it is sent with; null when the event is gone." }),
    type: z.string(),
    status: z.enum(statuses),
    attemptCount: z.int(),
    statusCode: z.int().nullable(),
    error: z.string().nullable(),
    nextAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Delivery" });

/** The row of a delivery with its event's public id. */
export type DeliveryRow = {
  id: bigint;
  publicId: string;
  eventId: bigint | null;
  eventPublicId: string | null;
  type: string;
  status: (typeof statuses)[number];
  attemptCount: number;
  statusCode: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
};

/** SQL: the deliveries `d` of the webhook `$1`; a condition may follow. */
export const selectDeliveries = `SELECT d.id, d."publicId", d."eventId", e."publicId" AS "eventPublicId", d.type, d.status::text AS status,
    d."attemptCount", d."statusCode", d.error, d."nextAttemptAt", d."createdAt", d."finishedAt"
  FROM deliveries d LEFT JOIN events e ON e.id = d."eventId" WHERE d."webhookId" = $1`;

const one = `${selectDeliveries} AND d."publicId" = $2`;

/** Finds a delivery of a webhook; undefined when there is none. */
export async function findDelivery(query: Query, webhookId: bigint, publicId: string) {
  const [row] = await query<DeliveryRow>(one, [webhookId, publicId]);
  return row;
}

/** Shows a delivery's row. */
export const viewDelivery = (row: DeliveryRow): z.infer<typeof Delivery> => ({
  publicId: row.publicId,
  eventPublicId: row.eventPublicId,
  type: row.type,
  status: row.status,
  attemptCount: row.attemptCount,
  statusCode: row.statusCode,
  error: row.error,
  nextAttemptAt: isoOrNull(row.nextAttemptAt),
  createdAt: iso(row.createdAt),
  finishedAt: isoOrNull(row.finishedAt),
});
