import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { isLong, jobKinds, type JobKind, type Payloads } from "./kinds.ts";

/**
 * SQL: the account that shares of webhooks, jobs and mails count for, of the workspace `s`.
 *
 * A workspace without a maker shares with no other: it counts as its own negative id.
 */
export const workspaceAccount = sql`coalesce(s."createdById", -s.id)`;

/** SQL: the account of a workspace by its id. */
export const accountOfWorkspace = (id: bigint): Sql =>
  sql`coalesce((SELECT ${workspaceAccount} FROM workspaces s WHERE s.id = ${id}::bigint),
    -${id}::bigint)`;

/** How long a worker's lease on a job lasts without renewal. */
export const jobLeaseMs = 60_000;

/** When a job runs, and its account. Each kind has one live job for a `uniqueKey`. */
export type JobOptions = {
  runAt?: Date;
  uniqueKey?: string;
  /** The job counts for the account of its workspace. */
  workspaceId?: bigint;
  /** The account that a job without a workspace counts for. */
  accountId?: bigint;
  /** The fingerprint of the address that a mail goes to. */
  recipient?: string;
  /** Of the due jobs, the lowest number runs first; 0 by default. */
  priority?: number;
};

/** The lease of a worker on a job; `lease` identifies the claim. */
export type Lease = { id: bigint; lease: string };

type Transaction = Pick<UnitOfWork, "query" | "now">;

/** SQL: whether a job waits or runs. */
export const isLiveJob = sql`status IN ('queued', 'running')`;
const unlessLive = sql`ON CONFLICT (kind, "uniqueKey") WHERE ${isLiveJob} DO NOTHING`;
const unleased = sql`"leasedUntil" = NULL, "leasedBy" = NULL`;

/** Queues a job in a transaction: it runs after the commit, at least once. False when it exists. */
export async function enqueue<Kind extends JobKind>(
  { query, now }: Transaction,
  kind: Kind,
  payload: Payloads[Kind],
  { runAt = now, uniqueKey, workspaceId, accountId, recipient, priority = 0 }: JobOptions = {},
): Promise<boolean> {
  if (isLong(kind) && (workspaceId ?? accountId) === undefined)
    throw new Error(`A job of kind ${kind} needs an account.`);
  const account =
    workspaceId === undefined ? sql`${accountId ?? 0n}::bigint` : accountOfWorkspace(workspaceId);
  const inserted = await query(sql`INSERT INTO jobs
      (kind, payload, "uniqueKey", "workspaceId", "accountId", recipient, "maxAttempts", priority,
      "runAt", "createdAt")
    VALUES (${kind}, ${JSON.stringify(payload)}::jsonb, ${uniqueKey ?? null},
      ${workspaceId ?? null}::bigint, ${account}, ${recipient ?? null},
      ${jobKinds[kind].maxAttempts}::int, ${priority}::int, ${runAt}::timestamptz,
      ${now}::timestamptz)
    ${unlessLive} RETURNING id`);
  return inserted.length > 0;
}

/** Cancels the live job of a key; a running one is aborted. False when there is no such job. */
export const cancel = (tx: Transaction, kind: JobKind, uniqueKey: string): Promise<boolean> =>
  cancelWhere(tx, sql`kind = ${kind} AND "uniqueKey" = ${uniqueKey}`);

/** Cancels a live job by its id; a running one is aborted. False when it has ended. */
export const cancelById = (tx: Transaction, id: bigint): Promise<boolean> =>
  cancelWhere(tx, sql`id = ${id}`);

async function cancelWhere({ query, now }: Transaction, isJob: Sql): Promise<boolean> {
  const cancelled = await query(sql`
    UPDATE jobs SET status = 'cancelled', "finishedAt" = ${now}::timestamptz, payload = '{}',
      ${unleased}
    WHERE ${isJob} AND ${isLiveJob} RETURNING id`);
  return cancelled.length > 0;
}

/** Creates the periodic jobs that do not exist. */
export async function ensurePeriodic(query: Query, now: Date): Promise<void> {
  const periodic = Object.entries(jobKinds).filter(([, { everyMs }]) => everyMs !== undefined);
  const kinds = periodic.map(([kind]) => kind);
  const attempts = periodic.map(([, { maxAttempts }]) => maxAttempts);
  await query(sql`INSERT INTO jobs (kind, "uniqueKey", "maxAttempts", "runAt", "createdAt")
    SELECT k.kind, 'periodic', k."maxAttempts", ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${kinds}::text[], ${attempts}::int[]) AS k(kind, "maxAttempts")
    WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = k.kind AND j."uniqueKey" = 'periodic'
      AND j.${isLiveJob})
    ${unlessLive}`);
}

const ifLeased = ({ id, lease }: Lease): Sql =>
  sql`WHERE id = ${id} AND "leasedBy" = ${lease} AND status = 'running'`;

/** Renews the lease of a job; false when it was cancelled, or claimed by another worker. */
export async function renew(query: Query, job: Lease, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + jobLeaseMs);
  const rows = await query(sql`UPDATE jobs
    SET "runAt" = ${until}::timestamptz, "leasedUntil" = ${until}::timestamptz
    ${ifLeased(job)} RETURNING id`);
  return rows.length > 0;
}

/**
 * Ends a job. A completed one loses its payload, which can contain a sign-in link; a failed one
 * keeps it, so that an operator can retry it.
 */
export async function end(
  query: Query,
  job: Lease,
  status: "completed" | "failed",
  now: Date,
  error: string | null = null,
): Promise<void> {
  await query(sql`
    UPDATE jobs SET status = ${status}::"JobStatus", "finishedAt" = ${now}::timestamptz,
      "lastError" = ${error}, ${status === "completed" ? sql`payload = '{}',` : sql.empty}
      ${unleased}
    ${ifLeased(job)}`);
}

/** Puts a job back into the queue, to run at `runAt`; `attempts` is the number of used attempts. */
export async function requeue(
  query: Query,
  job: Lease,
  { runAt, attempts, error = null }: { runAt: Date; attempts: number; error?: string | null },
): Promise<void> {
  await query(sql`
    UPDATE jobs SET status = 'queued', "runAt" = ${runAt}::timestamptz,
      attempts = ${attempts}::int, "lastError" = ${error}, ${unleased}
    ${ifLeased(job)}`);
}
