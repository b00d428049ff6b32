import type { Query } from "../../../platform/db/query.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { EventPayload } from "../message/payload.ts";
import type { StoredSecrets } from "../message/secrets.ts";
import { leaseMs } from "./leases.ts";

/** A due delivery with its event and its webhook as they are now. */
export type DueDelivery = EventPayload &
  StoredSecrets & {
    id: bigint;
    webhookId: bigint;
    workspaceId: bigint;
    attemptCount: number;
    url: string;
    /** Whether the last attempt to the webhook succeeded. */
    isProven: boolean;
    /** False when the webhook is inactive or deleted, or its event is deleted: nothing is sent. */
    isSendable: boolean;
    /** True in a deleted workspace: a failed attempt is not repeated. */
    isLastAttempt: boolean;
  };

/** What to claim: free webhooks of some or all workspaces, and more of leased ones. */
export type Claim = {
  leaseHolder: string;
  now: Date;
  workspaceIds: bigint[] | "all";
  /** Leased webhooks of which more deliveries are read. */
  webhookIds: bigint[];
  /** How many free webhooks are claimed at most. */
  maxWebhooks: number;
  /** Deliveries that are in flight. */
  startedIds: bigint[];
  /** How many deliveries are read of each webhook. */
  readAhead: number;
  /** How many webhooks with work are leased in each workspace. */
  leasedPerWorkspace: ReadonlyMap<bigint, number>;
  /** How many webhooks of one workspace are leased at most. */
  maxPerWorkspace: number;
};

// Skips from webhook to webhook along an index, instead of reading every pending delivery.
const nextWebhook = (after: Sql) => sql`(SELECT d."webhookId" FROM deliveries d
  WHERE d.status = 'pending' ${after} ORDER BY d."webhookId" LIMIT 1)`;
const pendingWebhooks = sql`pending_webhooks(id) AS (
    SELECT ${nextWebhook(sql.empty)} AS id
    UNION ALL
    SELECT ${nextWebhook(sql`AND d."webhookId" > pending_webhooks.id`)} FROM pending_webhooks
    WHERE pending_webhooks.id IS NOT NULL)`;

// Deliveries of an inactive or deleted webhook are due at once, so that they end.
const due = (
  webhookId: Sql,
  { startedIds, now }: Claim,
) => sql`SELECT d.id, d."nextAttemptAt" FROM deliveries d
  WHERE d."webhookId" = ${webhookId} AND d.status = 'pending'
    AND d.id <> ALL (${startedIds}::bigint[])
    AND d."nextAttemptAt" <= CASE WHEN w.active AND w."deletedAt" IS NULL
      THEN ${now}::timestamptz ELSE 'infinity' END`;

const isFree = (now: Date) =>
  sql`(w."leasedUntil" IS NULL OR w."leasedUntil" <= ${now}::timestamptz)`;

// Round robin over workspaces: the first webhook of each comes before the second of any.
const candidates = (claim: Claim) => sql`candidates AS (
    SELECT w.id, coalesce(l.count, 0)
      + row_number() OVER (PARTITION BY w."workspaceId" ORDER BY random()) AS rank
    FROM webhooks w
    LEFT JOIN unnest(${[...claim.leasedPerWorkspace.keys()]}::bigint[],
        ${[...claim.leasedPerWorkspace.values()]}::int[]) AS l("workspaceId", count)
      ON l."workspaceId" = w."workspaceId"
    WHERE ${
      claim.workspaceIds === "all"
        ? sql`w.id IN (SELECT id FROM pending_webhooks)`
        : sql`w."workspaceId" = ANY (${claim.workspaceIds}::bigint[])`
    } AND ${isFree(claim.now)} AND EXISTS (${due(sql`w.id`, claim)}))`;

const statement = (claim: Claim) => sql`WITH RECURSIVE
  ${claim.workspaceIds === "all" ? sql`${pendingWebhooks},` : sql.empty}
  ${candidates(claim)}, free AS (
    SELECT w.id FROM webhooks w JOIN candidates c ON c.id = w.id
    WHERE c.rank <= ${claim.maxPerWorkspace}::int AND ${isFree(claim.now)}
    ORDER BY c.rank, random() LIMIT ${claim.maxWebhooks}::int FOR NO KEY UPDATE OF w SKIP LOCKED
  ), claimed AS (
    UPDATE webhooks w SET "leasedBy" = ${claim.leaseHolder},
      "leasedUntil" = ${new Date(claim.now.getTime() + leaseMs)}::timestamptz
    FROM free WHERE w.id = free.id RETURNING w.id
  ), leased AS (
    SELECT id FROM claimed
    UNION SELECT id FROM webhooks
    WHERE "leasedBy" = ${claim.leaseHolder} AND id = ANY (${claim.webhookIds}::bigint[])
  )
  SELECT d.id, d."webhookId", d."workspaceId", d."attemptCount",
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
  CROSS JOIN LATERAL (${due(sql`leased.id`, claim)}
    ORDER BY d."nextAttemptAt", d.id LIMIT ${claim.readAhead}::int) first
  JOIN deliveries d ON d.id = first.id
  LEFT JOIN events e ON e.id = d."eventId"
  ORDER BY first."nextAttemptAt", d.id`;

/** Leases free webhooks with due deliveries, and reads the first due deliveries of each. */
export const claimDue = (query: Query, claim: Claim): Promise<DueDelivery[]> =>
  query<DueDelivery>(statement(claim));
