import type { Query } from "../../../platform/db/query.ts";
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
    /** False when the webhook is inactive or deleted, or its event is deleted: nothing is sent. */
    isSendable: boolean;
    /** True in a deleted workspace: a failed attempt is not repeated. */
    isLastAttempt: boolean;
    eventPublicId: string;
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
};

// Skips from webhook to webhook along an index, instead of reading every pending delivery.
const nextWebhook = (after: string) => `(SELECT d."webhookId" FROM deliveries d
  WHERE d.status = 'pending' ${after} ORDER BY d."webhookId" LIMIT 1)`;
const pendingWebhooks = `pending_webhooks(id) AS (
    SELECT ${nextWebhook("")} AS id
    UNION ALL
    SELECT ${nextWebhook(`AND d."webhookId" > pending_webhooks.id`)} FROM pending_webhooks
    WHERE pending_webhooks.id IS NOT NULL)`;

// Deliveries of an inactive or deleted webhook are due at once, so that they end.
const due = (webhookId: string) => `SELECT d.id, d."nextAttemptAt" FROM deliveries d
  WHERE d."webhookId" = ${webhookId} AND d.status = 'pending' AND d.id <> ALL ($6::bigint[])
    AND d."nextAttemptAt" <= CASE WHEN w.active AND w."deletedAt" IS NULL
      THEN $2::timestamptz ELSE 'infinity' END`;

const inWorkspaces = `w."workspaceId" = ANY ($4::bigint[])`;
const inAllWorkspaces = `w.id IN (SELECT id FROM pending_webhooks) AND $4::bigint[] IS NOT NULL`;

const claimFrom = (webhooks: string, preceding: string) => `WITH RECURSIVE ${preceding} free AS (
    SELECT w.id FROM webhooks w
    WHERE ${webhooks} AND (w."leasedUntil" IS NULL OR w."leasedUntil" <= $2::timestamptz)
      AND EXISTS (${due("w.id")})
    ORDER BY random() LIMIT $5::int FOR NO KEY UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE webhooks w SET "leasedBy" = $1, "leasedUntil" = $3::timestamptz FROM free
    WHERE w.id = free.id RETURNING w.id
  ), leased AS (
    SELECT id FROM claimed
    UNION SELECT id FROM webhooks WHERE "leasedBy" = $1 AND id = ANY ($7::bigint[])
  )
  SELECT d.id, d."webhookId", d."workspaceId", d."attemptCount",
    w.url, w.secret, w."previousSecret", w."previousSecretExpiresAt",
    w.active AND w."deletedAt" IS NULL AND e.id IS NOT NULL AS "isSendable",
    s."deletedAt" IS NOT NULL AS "isLastAttempt",
    s."publicId" AS "workspacePublicId", e."publicId" AS "eventPublicId", d.type, e.data, e.changes,
    e."boardPublicId", e."actorType"::text AS "actorType", e."actorPublicId", e."actorName",
    e."createdAt"
  FROM leased
  JOIN webhooks w ON w.id = leased.id
  JOIN workspaces s ON s.id = w."workspaceId"
  CROSS JOIN LATERAL (${due("leased.id")} ORDER BY d."nextAttemptAt", d.id LIMIT $8::int) first
  JOIN deliveries d ON d.id = first.id
  LEFT JOIN events e ON e.id = d."eventId"
  ORDER BY first."nextAttemptAt", d.id`;

const claimInWorkspaces = claimFrom(inWorkspaces, "");
const claimEverywhere = claimFrom(inAllWorkspaces, `${pendingWebhooks},`);

/** Leases free webhooks with due deliveries, and reads the first due deliveries of each. */
export const claimDue = (query: Query, claim: Claim): Promise<DueDelivery[]> =>
  query<DueDelivery>(claim.workspaceIds === "all" ? claimEverywhere : claimInWorkspaces, [
    claim.leaseHolder,
    claim.now,
    new Date(claim.now.getTime() + leaseMs),
    claim.workspaceIds === "all" ? [] : claim.workspaceIds,
    claim.maxWebhooks,
    claim.startedIds,
    claim.webhookIds,
    claim.readAhead,
  ]);
