import { z } from "zod";
import { iso, isoOrNull, Timestamp } from "../../contract/vocabulary/fields.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

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

const select = (
  webhookId: bigint,
): Sql => sql`SELECT d.id, d."publicId", d."eventId", e."publicId" AS "eventPublicId", d.type,
    d.status::text AS status, d."attemptCount", d."statusCode", d.error, d."nextAttemptAt",
    d."createdAt", d."finishedAt"
  FROM deliveries d LEFT JOIN events e ON e.id = d."eventId" WHERE d."webhookId" = ${webhookId}`;

/** Finds a delivery of a webhook by its public id. */
export async function findDelivery(query: Query, webhookId: bigint, publicId: string) {
  const [row] = await query<DeliveryRow>(sql`${select(webhookId)} AND d."publicId" = ${publicId}`);
  return row;
}

/** Finds the newest delivery of an event to a webhook. */
export async function findLatest(query: Query, webhookId: bigint, eventId: bigint) {
  const [row] = await query<DeliveryRow>(
    sql`${select(webhookId)} AND d."eventId" = ${eventId} ORDER BY d.id DESC LIMIT 1`,
  );
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
  query<DeliveryRow>(sql`${select(webhookId)}
      ${of.beforeId === undefined ? sql.empty : sql`AND d.id < ${of.beforeId}`}
      ${of.status === undefined ? sql.empty : sql`AND d.status = ${of.status}::"DeliveryStatus"`}
      ${of.type === undefined ? sql.empty : sql`AND d.type = ${of.type}`}
    ORDER BY d.id DESC LIMIT ${of.limit}`);

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
