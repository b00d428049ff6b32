import { publicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { isLong, jobKinds, type JobKind, type Payloads } from "./kinds.ts";

/** How long a worker's lease on a job lasts without renewal. */
export const leaseMs = 60_000;

/** When a job runs, and for which workspace. Each kind has one live job for a `uniqueKey`. */
export type JobOptions = { runAt?: Date; uniqueKey?: string; workspaceId?: bigint };

/** A job that a worker has claimed; `lease` identifies the claim. */
export type ClaimedJob = {
  id: bigint;
  kind: JobKind;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
  lease: string;
  workspaceId: bigint | null;
};

type Transaction = Pick<UnitOfWork, "query" | "now">;

const insert = `INSERT INTO jobs
    (kind, payload, "uniqueKey", "workspaceId", "maxAttempts", "runAt", "createdAt")
  VALUES ($1, $2::jsonb, $3, $4::bigint, $5::int, $6::timestamptz, $7::timestamptz)
  ON CONFLICT (kind, "uniqueKey") WHERE status IN ('queued', 'running') DO NOTHING RETURNING id`;

/** Queues a job in a transaction: it runs after the commit, at least once. False when it exists. */
export async function enqueue<Kind extends JobKind>(
  { query, now }: Transaction,
  kind: Kind,
  payload: Payloads[Kind],
  { runAt = now, uniqueKey, workspaceId }: JobOptions = {},
): Promise<boolean> {
  const inserted = await query(insert, [
    kind,
    JSON.stringify(payload),
    uniqueKey ?? null,
    workspaceId ?? null,
    jobKinds[kind].maxAttempts,
    runAt,
    now,
  ]);
  return inserted.length > 0;
}

const cancelLive = `UPDATE jobs SET status = 'cancelled', "finishedAt" = $3::timestamptz,
    payload = '{}', "leasedUntil" = NULL, "leasedBy" = NULL
  WHERE kind = $1 AND "uniqueKey" = $2 AND status IN ('queued', 'running') RETURNING id`;

/** Cancels the live job of a key; a running one is aborted. False when there is no such job. */
export async function cancel(
  { query, now }: Transaction,
  kind: JobKind,
  uniqueKey: string,
): Promise<boolean> {
  const cancelled = await query(cancelLive, [kind, uniqueKey, now]);
  return cancelled.length > 0;
}

const insertPeriodic = `INSERT INTO jobs (kind, "uniqueKey", "maxAttempts", "runAt", "createdAt")
  SELECT k.kind, 'periodic', k."maxAttempts", $3::timestamptz, $3::timestamptz
  FROM unnest($1::text[], $2::int[]) AS k(kind, "maxAttempts")
  WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = k.kind AND j."uniqueKey" = 'periodic'
    AND j.status IN ('queued', 'running'))
  ON CONFLICT (kind, "uniqueKey") WHERE status IN ('queued', 'running') DO NOTHING`;

/** Creates the periodic jobs that do not exist. */
export async function ensurePeriodic(query: Query, now: Date): Promise<void> {
  const periodic = Object.entries(jobKinds).filter(([, { everyMs }]) => everyMs !== undefined);
  await query(insertPeriodic, [
    periodic.map(([kind]) => kind),
    periodic.map(([, { maxAttempts }]) => maxAttempts),
    now,
  ]);
}

// When the workspace last had a long job: the workspaces take turns.
const lastOfWorkspace = `(SELECT max(coalesce(r."finishedAt", r."leasedUntil")) FROM jobs r
      WHERE r."workspaceId" = jobs."workspaceId" AND r.kind = jobs.kind AND r.id <> jobs.id)`;

const claimNext = (order: string) => `WITH due AS MATERIALIZED (
    SELECT id FROM jobs
    WHERE status IN ('queued', 'running') AND "runAt" <= $1::timestamptz AND kind = ANY($4::text[])
    ORDER BY ${order} "runAt", id LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE jobs SET status = 'running', attempts = attempts + 1, "runAt" = $2::timestamptz,
    "leasedUntil" = $2::timestamptz, "leasedBy" = $3
  FROM due WHERE jobs.id = due.id
  RETURNING jobs.id, kind, payload, attempts, "maxAttempts", "leasedBy" AS lease,
    "workspaceId"`;

const claimShort = claimNext("");
const claimLong = claimNext(`${lastOfWorkspace} NULLS FIRST,`);

/** Claims the due job that has waited longest; long jobs by turns of the workspaces. */
export async function claim(query: Query, kinds: string[], now: Date): Promise<ClaimedJob | null> {
  const lease = `${process.pid}:${publicId()}`;
  const until = new Date(now.getTime() + leaseMs);
  const [job] = await query<ClaimedJob>(kinds.every(isLong) ? claimLong : claimShort, [
    now,
    until,
    lease,
    kinds,
  ]);
  return job ?? null;
}

const ifLeased = `WHERE id = $1 AND "leasedBy" = $2 AND status = 'running'`;
const extendLease = `UPDATE jobs
  SET "runAt" = $3::timestamptz, "leasedUntil" = $3::timestamptz ${ifLeased} RETURNING id`;

/** Renews the lease of a job; false when it was cancelled, or claimed by another worker. */
export async function renew(query: Query, { id, lease }: ClaimedJob, now: Date): Promise<boolean> {
  const rows = await query(extendLease, [id, lease, new Date(now.getTime() + leaseMs)]);
  return rows.length > 0;
}

const finish = `UPDATE jobs SET status = $3::"JobStatus", "finishedAt" = $4::timestamptz,
    "lastError" = $5, payload = '{}', "leasedUntil" = NULL, "leasedBy" = NULL ${ifLeased}`;

/** Ends a job. Deletes its payload, which can contain a sign-in link. */
export async function end(
  query: Query,
  { id, lease }: ClaimedJob,
  status: "completed" | "failed",
  now: Date,
  error: string | null = null,
): Promise<void> {
  await query(finish, [id, lease, status, now, error]);
}

const putBack = `UPDATE jobs SET status = 'queued', "runAt" = $3::timestamptz, attempts = $4::int,
    "lastError" = $5, "leasedUntil" = NULL, "leasedBy" = NULL ${ifLeased}`;

/** Puts a job back into the queue, to run at `runAt`; `attempts` is the number of used attempts. */
export async function requeue(
  query: Query,
  { id, lease }: ClaimedJob,
  { runAt, attempts, error = null }: { runAt: Date; attempts: number; error?: string | null },
): Promise<void> {
  await query(putBack, [id, lease, runAt, attempts, error]);
}
