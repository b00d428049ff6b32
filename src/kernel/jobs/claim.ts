import { publicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isLong, jobKinds, type JobKind } from "./kinds.ts";
import { isLiveJob, jobLeaseMs, type Lease } from "./queue.ts";
import { inTurn, turnsOf } from "./turns.ts";

/** A job that a worker has claimed. */
export type ClaimedJob = Lease & {
  kind: JobKind;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
  workspaceId: bigint | null;
  accountId: bigint;
};

const byPriority = ({ kinds, now }: ClaimRequest) => sql`WITH due AS MATERIALIZED (
  SELECT id FROM jobs
  WHERE ${isLiveJob} AND "runAt" <= ${now}::timestamptz AND kind = ANY(${kinds}::text[])
  ORDER BY priority, "runAt", id LIMIT 1 FOR UPDATE SKIP LOCKED)`;

const workspace = sql`coalesce(j."workspaceId", 0)`;
const first = (where: Sql) => sql`(
  SELECT j."accountId", ${workspace} AS "workspaceId", j."runAt", j.id FROM jobs j
  WHERE j.${isLiveJob} AND ${where}
  ORDER BY j."accountId", ${workspace}, j."runAt", j.id LIMIT 1)`;

// Skips from workspace to workspace along an index, instead of reading every job.
const firstJobs = (kinds: readonly string[]) => sql`first_jobs(kind, "accountId", "workspaceId",
    "runAt", id) AS (
    SELECT k.kind, f.* FROM unnest(${kinds}::text[]) AS k(kind)
    CROSS JOIN LATERAL ${first(sql`j.kind = k.kind`)} f
    UNION ALL
    SELECT w.kind, f.* FROM first_jobs w CROSS JOIN LATERAL ${first(sql`j.kind = w.kind
      AND (j."accountId", ${workspace}) > (w."accountId", w."workspaceId")`)} f)`;

const isRunning = (now: Date) => sql`j.status = 'running' AND j."runAt" > ${now}::timestamptz`;

const lastStart = (isOf: Sql) => sql`(SELECT max(j."startedAt") FROM jobs j
  WHERE j.kind = f.kind AND ${isOf})`;

const byTurns = ({ kinds, now, holder, maxPerAccount }: ClaimRequest) => sql`WITH RECURSIVE
  ${firstJobs(kinds)}, ${turnsOf({
    waiting: sql`SELECT f.id, f."accountId", f."workspaceId", f."runAt" AS "dueAt",
        ${lastStart(sql`j."accountId" = f."accountId"`)} AS "accountAt",
        ${lastStart(sql`${workspace} = f."workspaceId"`)} AS "workspaceAt"
      FROM first_jobs f WHERE f."runAt" <= ${now}::timestamptz`,
    running: sql`SELECT j."accountId", ${workspace} AS "workspaceId",
        starts_with(j."leasedBy", ${holder}) AS "isOwn"
      FROM jobs j WHERE ${isRunning(now)} AND j.kind = ANY (${kinds}::text[])`,
    maxPerAccount,
  })}, due AS MATERIALIZED (
    SELECT j.id FROM jobs j JOIN turns ON turns.id = j.id
    WHERE j.id = ANY (ARRAY(SELECT id FROM turns)) AND j.${isLiveJob}
      AND j."runAt" <= ${now}::timestamptz
    ORDER BY ${inTurn}
    LIMIT 1 FOR UPDATE OF j SKIP LOCKED)`;

/** What to claim, and for which workers: one account has at most some of their jobs. */
type ClaimRequest = { kinds: string[]; now: Date; holder: string; maxPerAccount: number };

/** Claims the due job of the lowest priority number; long jobs by turns of the accounts. */
async function claimJob(query: Query, due: ClaimRequest): Promise<ClaimedJob | null> {
  const { kinds, now, holder } = due;
  const long = kinds.every(isLong);
  const lease = `${holder}:${publicId()}`;
  const until = new Date(now.getTime() + jobLeaseMs);
  const [job] = await query<ClaimedJob>(sql`${long ? byTurns(due) : byPriority(due)}
    UPDATE jobs SET status = 'running', attempts = attempts + 1, "runAt" = ${until}::timestamptz,
      "leasedUntil" = ${until}::timestamptz, "leasedBy" = ${lease},
      "startedAt" = ${long ? now : null}::timestamptz
    FROM due WHERE jobs.id = due.id
    RETURNING jobs.id, kind, payload, attempts, "maxAttempts", "leasedBy" AS lease, "workspaceId",
      "accountId"`);
  return job ?? null;
}

/** The part of the workers that the jobs of one account can use. */
const maxShare = 0.5;

/** Claims a job for a worker. */
export type Claim = (
  query: Query,
  due: Pick<ClaimRequest, "kinds" | "now">,
) => Promise<ClaimedJob | null>;

/** Claims for some workers of this process: one account leaves some of them to others. */
export function claimFor(workers: number): Claim {
  const holder = `${process.pid}:${publicId()}`;
  const maxPerAccount = Math.max(1, Math.floor(workers * maxShare));
  let last: Promise<unknown> = Promise.resolve();
  return (query, due) => {
    // One claim at a time, so that each sees the last one.
    const claimed = last.then(() => claimJob(query, { ...due, holder, maxPerAccount }));
    last = claimed.catch(() => undefined);
    return claimed;
  };
}

/** An idle worker claims a job sooner than this. */
const claimedWithinMs = 5_000;

/** Whether another account has a due long job and no running one: it waits for a worker. */
export async function isAccountWaiting(
  query: Query,
  { accountId }: Pick<ClaimedJob, "accountId">,
  now: Date,
): Promise<boolean> {
  const kinds = Object.keys(jobKinds).filter(isLong);
  const before = new Date(now.getTime() - claimedWithinMs);
  const waiting = await query(sql`WITH RECURSIVE ${firstJobs(kinds)}
    SELECT 1 FROM first_jobs f
    WHERE f."accountId" <> ${accountId} AND f."runAt" <= ${before}::timestamptz
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE ${isRunning(now)}
        AND j."accountId" = f."accountId" AND j.kind = ANY (${kinds}::text[]))
    LIMIT 1`);
  return waiting.length > 0;
}
