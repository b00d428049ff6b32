import type { Query } from "../../../platform/db/query.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import { workspaceAccount } from "../../../kernel/jobs/queue.ts";
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
  /** How many webhooks with work are leased in each workspace, and of each account. */
  leasedPerWorkspace: ReadonlyMap<bigint, number>;
  leasedPerAccount: ReadonlyMap<bigint, number>;
  /** How many webhooks of one account are leased at most. */
  maxPerAccount: number;
};

const countsOf = (counts: ReadonlyMap<bigint, number>) =>
  sql`unnest(${[...counts.keys()]}::bigint[], ${[...counts.values()]}::int[]) AS l(id, count)`;

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

// Round robin over accounts, and over the workspaces of an account: the first webhook of each comes
// before the second of any. Deleted webhooks are found by the polls of all: a workspace may have
// many of them.
const candidates = (request: LeaseRequest) => sql`waiting AS (
    SELECT w.id, ${workspaceAccount} AS "accountId", coalesce(l.count, 0)
      + row_number() OVER (PARTITION BY w."workspaceId" ORDER BY random()) AS turn
    FROM webhooks w JOIN workspaces s ON s.id = w."workspaceId"
    LEFT JOIN ${countsOf(request.leasedPerWorkspace)} ON l.id = w."workspaceId"
    WHERE (w.id = ANY (${request.pendingIds}::bigint[])
        OR w."workspaceId" = ANY (${request.workspaceIds}::bigint[]) AND w."deletedAt" IS NULL)
      AND ${isFree(request.now)} AND EXISTS (${due(sql`w.id`, request)})
  ), candidates AS (
    SELECT w.id, coalesce(l.count, 0)
      + row_number() OVER (PARTITION BY w."accountId" ORDER BY w.turn, random()) AS rank
    FROM waiting w LEFT JOIN ${countsOf(request.leasedPerAccount)} ON l.id = w."accountId")`;

const statement = (request: LeaseRequest) => sql`WITH ${candidates(request)}, free AS (
    SELECT w.id FROM webhooks w JOIN candidates c ON c.id = w.id
    WHERE c.rank <= ${request.maxPerAccount}::int AND ${isFree(request.now)}
    ORDER BY c.rank, random() LIMIT ${request.maxWebhooks}::int FOR NO KEY UPDATE OF w SKIP LOCKED
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
export const leaseDue = (query: Query, request: LeaseRequest): Promise<DueDelivery[]> =>
  query<DueDelivery>(statement(request));
