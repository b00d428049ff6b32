import { z } from "zod";
import {
  CreatedAt,
  EventTypeText,
  FailureReason,
  StatusCode,
} from "../../contract/fields/shared.ts";
import { idOf } from "../../contract/vocabulary/ids.ts";
import { iso, isoOrNull, Timestamp } from "../../contract/vocabulary/texts.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The statuses of a delivery. */
const statuses = ["pending", "succeeded", "failed"] as const;

/** Whether a delivery waits, succeeded or failed. */
export const DeliveryStatus = z.enum(statuses).meta({
  id: "DeliveryStatus",
  description: "Whether the delivery waits for an attempt, succeeded, or failed for good.",
});

type Status = (typeof statuses)[number];

/** One event for one webhook, with the result of the last attempt. */
export const Delivery = z
  .object({
    publicId: idOf("delivery"),
    eventPublicId: z
      .string()
      .nullable()
      .meta({
        examples: ["e2v8e6n4t1s7"],
        description: "The `webhook-id` header; null when the event was deleted.",
      }),
    type: EventTypeText,
    status: DeliveryStatus.meta({ examples: ["succeeded"] }),
    attemptCount: z.int().meta({ description: "The number of attempts so far.", examples: [1] }),
    statusCode: StatusCode,
    error: FailureReason,
    nextAttemptAt: Timestamp.nullable().meta({
      description: "When the next attempt is due, in UTC. Null if none is planned.",
      examples: [null],
    }),
    createdAt: CreatedAt,
    finishedAt: Timestamp.nullable().meta({
      description: "When it ended, in UTC. Null until then.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
  })
  .meta({
    id: "Delivery",
    description: "One event for one webhook, with the result of the last attempt.",
  });

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

/** A page of deliveries to read. */
type DeliveryFilter = {
  status?: Status | undefined;
  type?: string | undefined;
  beforeId: bigint | undefined;
  limit: number;
};

/** Reads deliveries of a webhook, newest first. */
export const listPage = (
  query: Query,
  webhookId: bigint,
  { beforeId, status, type, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> =>
  query<DeliveryRow>(sql`${select(webhookId)}
      ${beforeId === undefined ? sql.empty : sql`AND d.id < ${beforeId}`}
      ${status === undefined ? sql.empty : sql`AND d.status = ${status}::"DeliveryStatus"`}
      ${type === undefined ? sql.empty : sql`AND d.type = ${type}`}
    ORDER BY d.id DESC LIMIT ${limit}`);

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
