import type { Query } from "../../platform/db/query.ts";
import type { Sealed } from "./secrets.ts";
import type { Told } from "./payload.ts";
import { sql } from "../../platform/db/sql.ts";

/** For how long an instance has a webhook to itself before others may take it for dead. */
export const leaseMs = 10_000;

/** A delivery that is due, with its event and its target as they are now. */
export type Due = Told &
  Sealed & {
    id: bigint;
    webhookId: bigint;
    workspaceId: bigint;
    attemptCount: number;
    url: string;
    /** False when the webhook was switched off or deleted, or the event is not kept any more: nothing is sent. */
    isWanted: boolean;
    /** True in a deleted workspace: a failure is the end. */
    isLast: boolean;
    eventPublicId: string;
  };

/** Where to look for what is due: at webhooks that nobody has, in some workspaces or everywhere, and at some that are ours already. */
export type Look = {
  by: string;
  now: Date;
  workspaces: bigint[] | "everywhere";
  mine: bigint[];
  /** How many webhooks may be taken. */
  room: number;
  /** The deliveries that are under way. */
  running: bigint[];
  /** How many deliveries to read of each webhook. */
  each: number;
};

// A leap to the next webhook that has anything pending, instead of a walk over all that is pending.
const next = (after: string) => `(SELECT d."webhookId" FROM deliveries d
  WHERE d.status = 'pending' ${after} ORDER BY d."webhookId" LIMIT 1)`;
const waiting = `waiting(id) AS (
    SELECT ${next("")} AS id UNION ALL
    SELECT ${next(`AND d."webhookId" > waiting.id`)} FROM waiting WHERE waiting.id IS NOT NULL)`;
// What waits for a webhook that is switched off is due, so that it ends.
const due = (webhook: string) => `SELECT d.id, d."nextAttemptAt" FROM deliveries d
  WHERE d."webhookId" = ${webhook} AND d.status = 'pending' AND d."nextAttemptAt" <= CASE WHEN w.active AND w."deletedAt" IS NULL THEN $2::timestamptz ELSE 'infinity' END AND d.id <> ALL ($6::bigint[])`;

const take = (everywhere: boolean) => `WITH RECURSIVE ${everywhere ? `${waiting}, ` : ""}free AS (
    SELECT w.id FROM webhooks w
    WHERE ${everywhere ? `w.id IN (SELECT id FROM waiting) AND $4::bigint[] IS NOT NULL` : `w."workspaceId" = ANY ($4::bigint[])`}
      AND (w."leasedUntil" IS NULL OR w."leasedUntil" <= $2::timestamptz) AND EXISTS (${due("w.id")})
    ORDER BY random() LIMIT $5::int FOR NO KEY UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE webhooks w SET "leasedBy" = $1, "leasedUntil" = $3::timestamptz FROM free WHERE w.id = free.id RETURNING w.id
  ), ours AS (
    SELECT id FROM taken UNION SELECT id FROM webhooks WHERE "leasedBy" = $1 AND id = ANY ($7::bigint[]))
  SELECT d.id, d."webhookId", d."workspaceId", d."attemptCount", w.url, w.secret, w."previousSecret", w."previousSecretExpiresAt",
    w.active AND w."deletedAt" IS NULL AND e.id IS NOT NULL AS "isWanted", s."deletedAt" IS NOT NULL AS "isLast",
    s."publicId" AS "workspacePublicId", e."publicId" AS "eventPublicId", d.type, e.data, e.changes, e."boardPublicId",
    e."actorType"::text AS "actorType", e."actorPublicId", e."actorName", e."createdAt"
  FROM ours
  JOIN webhooks w ON w.id = ours.id
  JOIN workspaces s ON s.id = w."workspaceId"
  CROSS JOIN LATERAL (${due("ours.id")} ORDER BY d."nextAttemptAt", d.id LIMIT $8::int) first
  JOIN deliveries d ON d.id = first.id
  LEFT JOIN events e ON e.id = d."eventId"
  ORDER BY first."nextAttemptAt", d.id`;
const takeNear = take(false);
const takeEverywhere = take(true);

/** Takes webhooks that have something due and that nobody has, and reads what is due first of each that is ours. */
export const takeDue = (query: Query, look: Look): Promise<Due[]> =>
  query<Due>(look.workspaces === "everywhere" ? takeEverywhere : takeNear, [
    look.by,
    look.now,
    new Date(look.now.getTime() + leaseMs),
    look.workspaces === "everywhere" ? [] : look.workspaces,
    look.room,
    look.running,
    look.mine,
    look.each,
  ]);

// By their ids, as everybody locks them who locks several.
const held = `WITH held AS (SELECT id FROM webhooks WHERE "leasedBy" = $1 AND id = ANY ($2::bigint[]) ORDER BY id FOR NO KEY UPDATE)
  UPDATE webhooks w`;
const renewal = `${held} SET "leasedUntil" = $3::timestamptz FROM held WHERE w.id = held.id RETURNING w.id`;
const release = `${held} SET "leasedUntil" = NULL, "leasedBy" = NULL FROM held WHERE w.id = held.id`;

/** Renews the leases of webhooks; answers those that are still ours. */
export async function renewLeases(query: Query, by: string, ids: bigint[], now: Date) {
  const until = new Date(now.getTime() + leaseMs);
  const rows = await query<{ id: bigint }>(renewal, [by, ids, until]);
  return new Set(rows.map(({ id }) => id));
}

/** Leaves webhooks to whoever comes next. */
export async function releaseLeases(query: Query, by: string, ids: bigint[]): Promise<void> {
  await query(release, [by, ids]);
}

/** How many deliveries `endPending` ends at most. */
export const mostEnded = 1_000;

/** Ends what waits for a webhook that is switched off or deleted, or tells of an event that is gone; some at a time: answers how many those were. */
export async function endPending(query: Query, webhookId: bigint, now: Date): Promise<number> {
  const ended = await query(
    sql`UPDATE deliveries SET status = 'failed', "nextAttemptAt" = NULL, "finishedAt" = ${now}::timestamptz, error = CASE
       WHEN w."deletedAt" IS NOT NULL THEN 'The webhook was deleted.'
       WHEN NOT w.active THEN 'The webhook was switched off.' ELSE 'The event is not kept any more.' END
     FROM webhooks w
     WHERE w.id = ${webhookId} AND deliveries.id IN (SELECT d.id FROM deliveries d
       WHERE d."webhookId" = ${webhookId} AND d.status = 'pending' AND (NOT w.active OR w."deletedAt" IS NOT NULL OR d."eventId" IS NULL)
       LIMIT ${sql.number(mostEnded)} FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING deliveries.id`,
  );
  return ended.length;
}
