import type { Query } from "../../platform/db/query.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { jobKinds, type JobKind, type Payloads } from "./kinds.ts";
import { sql } from "../../platform/db/sql.ts";

/** For how long a worker has a job before others may take it for dead. */
export const leaseMs = 60_000;

/** When to run a job and what it belongs to; of one kind and `uniqueKey` only one is queued or running. */
export type When = { runAt?: Date; uniqueKey?: string; workspaceId?: bigint };

/** A job in the hands of a worker; `lease` is what proves that it still is. No kind is claimed that was not asked for. */
export type Claimed = {
  id: bigint;
  kind: JobKind;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
  lease: string;
};

/** Queues a job in the transaction of a write: it runs after commit, at least once. False when its key has a live job. */
export async function enqueue<Kind extends JobKind>(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  kind: Kind,
  payload: Payloads[Kind],
  { runAt = now, uniqueKey, workspaceId }: When = {},
): Promise<boolean> {
  const made = await query(
    sql`INSERT INTO jobs (kind, payload, "uniqueKey", "workspaceId", "maxAttempts", "runAt", "createdAt")
     VALUES (${kind}, ${JSON.stringify(payload)}::jsonb, ${uniqueKey ?? null}, ${workspaceId ?? null}::bigint, ${jobKinds[kind].maxAttempts}::int, ${runAt}::timestamptz, ${now}::timestamptz)
     ON CONFLICT (kind, "uniqueKey") WHERE status IN ('queued', 'running') DO NOTHING RETURNING id`,
  );
  return made.length > 0;
}

/** Cancels the live job of a key. One that runs is told by its signal. False when there is none. */
export async function cancel(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  kind: JobKind,
  uniqueKey: string,
): Promise<boolean> {
  const ended = await query(
    sql`UPDATE jobs SET status = 'cancelled', "finishedAt" = ${now}::timestamptz, payload = '{}', "leasedUntil" = NULL, "leasedBy" = NULL
     WHERE kind = ${kind} AND "uniqueKey" = ${uniqueKey} AND status IN ('queued', 'running') RETURNING id`,
  );
  return ended.length > 0;
}

/** Makes the jobs that come again by themselves, where they are not there. */
export async function ensurePeriodic(query: Query, now: Date): Promise<void> {
  const kinds = Object.entries(jobKinds).filter(([, { everyMs }]) => everyMs !== undefined);
  await query(
    sql`INSERT INTO jobs (kind, "uniqueKey", "maxAttempts", "runAt", "createdAt")
     SELECT k.kind, 'periodic', k.most, ${now}::timestamptz, ${now}::timestamptz FROM unnest(${kinds.map(([kind]) => kind)}::text[], ${kinds.map(([, { maxAttempts }]) => maxAttempts)}::int[]) AS k(kind, most)
     WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = k.kind AND j."uniqueKey" = 'periodic' AND j.status IN ('queued', 'running'))
     ON CONFLICT (kind, "uniqueKey") WHERE status IN ('queued', 'running') DO NOTHING`,
  );
}

/** Takes the job that has waited longest, or that was left behind; null when nothing is due. */
export async function claim(query: Query, kinds: string[], now: Date): Promise<Claimed | null> {
  const lease = `${process.pid}:${publicId()}`;
  const [job] = await query<Claimed>(
    sql`WITH due AS MATERIALIZED (
       SELECT id FROM jobs WHERE status IN ('queued', 'running') AND "runAt" <= ${now}::timestamptz AND kind = ANY(${kinds}::text[])
       ORDER BY "runAt", id LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE jobs SET status = 'running', attempts = attempts + 1, "runAt" = ${new Date(now.getTime() + leaseMs)}::timestamptz, "leasedUntil" = ${new Date(now.getTime() + leaseMs)}::timestamptz, "leasedBy" = ${lease}
     FROM due WHERE jobs.id = due.id
     RETURNING jobs.id, kind, payload, attempts, "maxAttempts", "leasedBy" AS lease`,
  );
  return job ?? null;
}

const held = `WHERE id = $1 AND "leasedBy" = $2 AND status = 'running'`;

/** Renews the lease of a job; false when it has been cancelled, or taken by another worker. */
export async function renew(query: Query, { id, lease }: Claimed, now: Date): Promise<boolean> {
  const rows = await query(
    `UPDATE jobs SET "runAt" = $3::timestamptz, "leasedUntil" = $3::timestamptz ${held} RETURNING id`,
    [id, lease, new Date(now.getTime() + leaseMs)],
  );
  return rows.length > 0;
}

/** Ends a job for good. What it was told goes with it: there may be a link in it that lets somebody in. */
export async function end(
  query: Query,
  { id, lease }: Claimed,
  status: "completed" | "failed",
  now: Date,
  error: string | null = null,
): Promise<void> {
  await query(
    `UPDATE jobs SET status = $3::"JobStatus", "finishedAt" = $4::timestamptz, "lastError" = $5, payload = '{}', "leasedUntil" = NULL, "leasedBy" = NULL ${held}`,
    [id, lease, status, now, error],
  );
}

/** Gives a job back to the queue, to run at a later time; `attempts` is how many are behind it. */
export async function giveBack(
  query: Query,
  { id, lease }: Claimed,
  { runAt, attempts, error = null }: { runAt: Date; attempts: number; error?: string | null },
): Promise<void> {
  await query(
    `UPDATE jobs SET status = 'queued', "runAt" = $3::timestamptz, attempts = $4::int, "lastError" = $5, "leasedUntil" = NULL, "leasedBy" = NULL ${held}`,
    [id, lease, runAt, attempts, error],
  );
}
