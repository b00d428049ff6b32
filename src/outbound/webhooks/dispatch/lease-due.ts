import type { Query } from "../../../platform/db/query.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import { workspaceAccount } from "../../../kernel/jobs/queue.ts";
import { inTurn, turnsOf } from "../../../kernel/jobs/turns.ts";
import { whole } from "../../../kernel/events/stored-data.ts";
import type { EventPayload } from "../message/payload.ts";
import type { StoredSecrets } from "../message/secrets.ts";
import { webhookLeaseMs } from "./leases.ts";

/** A due delivery with its event and its webhook as they are now. */
export type DueDelivery = EventPayload &
  StoredSecrets & {
    id: bigint;
    webhookId: bigint;
    workspaceId: bigint;
    /** The account that made the workspace; without one, the workspace as a negative id. */
    accountId: bigint;
    attemptCount: number;
    url: string;
    /** Whether the last attempt to the webhook succeeded. */
    isProven: boolean;
    /** False when the webhook is inactive or deleted, or its event is deleted: nothing is sent. */
    isSendable: boolean;
    /** True in a deleted workspace: a failed attempt is not repeated. */
    isLastAttempt: boolean;
  };

/** What to lease: free webhooks, of workspaces or by id; and what to read of leased ones. */
export type LeaseRequest = {
  leaseHolder: string;
  now: Date;
  workspaceIds: bigint[];
  /** Webhooks with pending deliveries, of any workspaces. */
  pendingIds: bigint[];
  /** Leased webhooks of which more deliveries are read. */
  webhookIds: bigint[];
  /** How many free webhooks are leased at most. */
  maxWebhooks: number;
  /** Deliveries that are in flight. */
  startedIds: bigint[];
  /** How many deliveries are read of each webhook. */
  readAhead: number;
  /** Leased webhooks with work. */
  busyIds: bigint[];
  /** How many webhooks of one account are leased at most. */
  maxPerAccount: number;
};

// Deliveries of an inactive or deleted webhook are due at once, so that they end.
const due = (
  webhookId: Sql,
  { startedIds, now }: LeaseRequest,
) => sql`SELECT d.id, d."nextAttemptAt" FROM deliveries d
  WHERE d."webhookId" = ${webhookId} AND d.status = 'pending'
    AND d.id <> ALL (${startedIds}::bigint[])
    AND d."nextAttemptAt" <= CASE WHEN w.active AND w."deletedAt" IS NULL
      THEN ${now}::timestamptz ELSE 'infinity' END`;

const isFree = (now: Date) =>
  sql`(w."leasedUntil" IS NULL OR w."leasedUntil" <= ${now}::timestamptz)`;

// Deleted webhooks are found by the polls of all: a workspace may have many of them.
const turns = (request: LeaseRequest) =>
  turnsOf({
    waiting: sql`SELECT w.id, ${workspaceAccount} AS "accountId", w."workspaceId",
        NULL::timestamptz AS "accountAt", NULL::timestamptz AS "workspaceAt", random() AS "dueAt"
      FROM webhooks w JOIN workspaces s ON s.id = w."workspaceId"
      WHERE (w.id = ANY (${request.pendingIds}::bigint[])
          OR w."workspaceId" = ANY (${request.workspaceIds}::bigint[]) AND w."deletedAt" IS NULL)
        AND ${isFree(request.now)} AND EXISTS (${due(sql`w.id`, request)})`,
    running: sql`SELECT ${workspaceAccount} AS "accountId", w."workspaceId", true AS "isOwn"
      FROM webhooks w JOIN workspaces s ON s.id = w."workspaceId"
      WHERE w.id = ANY (${request.busyIds}::bigint[])`,
    maxPerAccount: request.maxPerAccount,
  });

const statement = (request: LeaseRequest) => sql`WITH ${turns(request)}, free AS (
    SELECT w.id FROM webhooks w JOIN turns ON turns.id = w.id WHERE ${isFree(request.now)}
    ORDER BY ${inTurn} LIMIT ${request.maxWebhooks}::int FOR NO KEY UPDATE OF w SKIP LOCKED
  ), claimed AS (
    UPDATE webhooks w SET "leasedBy" = ${request.leaseHolder},
      "leasedUntil" = ${new Date(request.now.getTime() + webhookLeaseMs)}::timestamptz
    FROM free WHERE w.id = free.id RETURNING w.id
  ), leased AS (
    SELECT id FROM claimed
    UNION SELECT id FROM webhooks
    WHERE "leasedBy" = ${request.leaseHolder} AND id = ANY (${request.webhookIds}::bigint[])
  )
  SELECT d.id, d."webhookId", d."workspaceId", ${workspaceAccount} AS "accountId", d."attemptCount",
    w.url, w.secret, w."previousSecret", w."previousSecretExpiresAt",
    w.active AND w."deletedAt" IS NULL AND e.id IS NOT NULL AS "isSendable",
    s."deletedAt" IS NOT NULL AS "isLastAttempt",
    w."lastSuccessAt" IS NOT NULL AND w."failingSince" IS NULL AS "isProven",
    s."publicId" AS "workspacePublicId", e."publicId" AS "eventPublicId", d.type, e.data, e.changes,
    e."boardPublicId", e."actorType"::text AS "actorType", e."actorPublicId", e."actorName",
    e."createdAt"
  FROM leased
  JOIN webhooks w ON w.id = leased.id
  JOIN workspaces s ON s.id = w."workspaceId"
  CROSS JOIN LATERAL (${due(sql`leased.id`, request)}
    ORDER BY d."nextAttemptAt", d.id LIMIT ${request.readAhead}::int) first
  JOIN deliveries d ON d.id = first.id
  LEFT JOIN events e ON e.id = d."eventId"
  ORDER BY first."nextAttemptAt", d.id`;

/** Leases free webhooks with due deliveries, and reads the first due deliveries of each. */
export async function leaseDue(query: Query, request: LeaseRequest): Promise<DueDelivery[]> {
  const rows = await query<DueDelivery>(statement(request));
  return rows.map((row) => (row.isSendable ? whole(row) : row));
}
