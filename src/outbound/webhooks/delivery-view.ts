import { z } from "zod";
import { iso, isoOrNull, Timestamp } from "../../contract/vocabulary/fields.ts";
import type { Query } from "../../platform/db/query.ts";

/** The statuses of a delivery. */
export const statuses = ["pending", "succeeded", "failed"] as const;

type Status = (typeof statuses)[number];

/** One event for one webhook, with the result of the last attempt. */
export const Delivery = z
  .object({
    publicId: z.string(),
    eventPublicId: z
      .string()
      .nullable()
      .meta({ description: "The `webhook-id` header; null when the event was deleted." }),
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

/** A delivery's row with the public id of its event. */
export type DeliveryRow = {
  id: bigint;
  publicId: string;
  eventId: bigint | null;
  eventPublicId: string | null;
  type: string;
  status: Status;
  attemptCount: number;
  statusCode: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
};

const select = `SELECT d.id, d."publicId", d."eventId", e."publicId" AS "eventPublicId", d.type,
    d.status::text AS status, d."attemptCount", d."statusCode", d.error, d."nextAttemptAt",
    d."createdAt", d."finishedAt"
  FROM deliveries d LEFT JOIN events e ON e.id = d."eventId" WHERE d."webhookId" = $1`;

const one = `${select} AND d."publicId" = $2`;
const latest = `${select} AND d."eventId" = $2 ORDER BY d.id DESC LIMIT 1`;
const page = `${select} AND ($2::bigint IS NULL OR d.id < $2)
    AND ($3::text IS NULL OR d.status = $3::"DeliveryStatus")
    AND ($4::text IS NULL OR d.type = $4)
  ORDER BY d.id DESC LIMIT $5`;

/** Finds a delivery of a webhook by its public id. */
export async function findDelivery(query: Query, webhookId: bigint, publicId: string) {
  const [row] = await query<DeliveryRow>(one, [webhookId, publicId]);
  return row;
}

/** Finds the newest delivery of an event to a webhook. */
export async function findLatest(query: Query, webhookId: bigint, eventId: bigint) {
  const [row] = await query<DeliveryRow>(latest, [webhookId, eventId]);
  return row;
}

/** Which deliveries to read. */
type PageOf = {
  status?: Status | undefined;
  type?: string | undefined;
  beforeId: bigint | undefined;
  limit: number;
};

/** Reads deliveries of a webhook, newest first. */
export const listPage = (query: Query, webhookId: bigint, of: PageOf): Promise<DeliveryRow[]> =>
  query<DeliveryRow>(page, [
    webhookId,
    of.beforeId ?? null,
    of.status ?? null,
    of.type ?? null,
    of.limit,
  ]);

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
