import { publicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { FairShare } from "../../platform/fair-share.ts";
import { isLong, jobKinds, type JobKind } from "./kinds.ts";
import { isLiveJob, jobLeaseMs, type Lease } from "./queue.ts";

/** A job that a worker has claimed. */
export type ClaimedJob = Lease & {
  kind: JobKind;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
  workspaceId: bigint | null;
  accountId: bigint;
};

/** How many accounts a claim considers: other workers may take the first job meanwhile. */
const accountsPerClaim = 4;

const byPriority = ({ kinds, now }: ClaimRequest) => sql`WITH due AS MATERIALIZED (
  SELECT id FROM jobs
  WHERE ${isLiveJob} AND "runAt" <= ${now}::timestamptz AND kind = ANY(${kinds}::text[])
  ORDER BY priority, "runAt", id LIMIT 1 FOR UPDATE SKIP LOCKED)`;

const workspace = sql`coalesce(j."workspaceId", 0)`;
const first = (columns: Sql, where: Sql, order: Sql) => sql`(SELECT ${columns} FROM jobs j
  WHERE j.${isLiveJob} AND ${where} ORDER BY ${order}, j."runAt", j.id LIMIT 1)`;
const firstOfAccount = (where: Sql) =>
  first(sql`j."accountId", j."runAt"`, where, sql`j."accountId"`);
const firstOfWorkspace = (where: Sql) =>
  first(sql`${workspace} AS "workspaceId", j."runAt", j.id`, where, workspace);

/** The accounts with waiting or running jobs, and when the first job of each is due. */
const accountsOf = (kinds: readonly string[]) => sql`accounts(kind, id, "runAt") AS (
    SELECT k.kind, f.* FROM unnest(${kinds}::text[]) AS k(kind)
    CROSS JOIN LATERAL ${firstOfAccount(sql`j.kind = k.kind`)} f
    UNION ALL
    SELECT a.kind, f.* FROM accounts a
    CROSS JOIN LATERAL ${firstOfAccount(sql`j.kind = a.kind AND j."accountId" > a.id`)} f
  )`;

// The rule of `FairShare` over all processes: accounts by turns, and the workspaces of an account
// by turns. Skips from account to account along an index, and then from workspace to workspace of
// a few accounts, instead of reading every job.
const byTurns = ({ kinds, now, busyAccounts = [] }: ClaimRequest) => sql`WITH RECURSIVE
  ${accountsOf(kinds)}, ranked AS MATERIALIZED (
    SELECT a.kind, a.id, row_number() OVER (
      ORDER BY running.count, last."startedAt" NULLS FIRST, a."runAt", a.id) AS rank
    FROM accounts a
    CROSS JOIN LATERAL (SELECT count(*) FROM jobs j WHERE j.status = 'running'
      AND j."runAt" > ${now}::timestamptz AND j.kind = a.kind AND j."accountId" = a.id) running
    CROSS JOIN LATERAL (SELECT max(j."startedAt") AS "startedAt" FROM jobs j
      WHERE j.kind = a.kind AND j."accountId" = a.id) last
    WHERE a."runAt" <= ${now}::timestamptz AND a.id <> ALL (${busyAccounts}::bigint[])
    ORDER BY rank LIMIT ${sql.number(accountsPerClaim)}
  ), workspaces(kind, "accountId", rank, id, "runAt", "jobId") AS (
    SELECT t.kind, t.id, t.rank, f.* FROM ranked t CROSS JOIN LATERAL
      ${firstOfWorkspace(sql`j.kind = t.kind AND j."accountId" = t.id`)} f
    UNION ALL
    SELECT w.kind, w."accountId", w.rank, f.* FROM workspaces w CROSS JOIN LATERAL
      ${firstOfWorkspace(sql`j.kind = w.kind AND j."accountId" = w."accountId"
        AND ${workspace} > w.id`)} f
  ), candidates AS MATERIALIZED (
    SELECT DISTINCT ON (w.rank) w.rank, w."jobId" FROM workspaces w
    CROSS JOIN LATERAL (SELECT max(j."startedAt") AS "startedAt" FROM jobs j
      WHERE j.kind = w.kind AND ${workspace} = w.id) last
    WHERE w."runAt" <= ${now}::timestamptz
    ORDER BY w.rank, last."startedAt" NULLS FIRST, w."runAt", w."jobId"
  ), due AS MATERIALIZED (
    SELECT j.id FROM jobs j WHERE j.id = ANY (ARRAY(SELECT c."jobId" FROM candidates c))
      AND j.${isLiveJob} AND j."runAt" <= ${now}::timestamptz
    ORDER BY (SELECT c.rank FROM candidates c WHERE c."jobId" = j.id)
    LIMIT 1 FOR UPDATE OF j SKIP LOCKED)`;

/** What to claim. Accounts that are busy get no other long job. */
export type ClaimRequest = { kinds: string[]; now: Date; busyAccounts?: (string | bigint)[] };

/** Claims the due job of the lowest priority number; long jobs by turns of the accounts. */
export async function claimJob(query: Query, due: ClaimRequest): Promise<ClaimedJob | null> {
  const { kinds, now } = due;
  const long = kinds.every(isLong);
  const lease = `${process.pid}:${publicId()}`;
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

/** Claims a job for a worker; `end` frees the worker. */
export type ClaimInTurn = (
  query: Query,
  due: Pick<ClaimRequest, "kinds" | "now">,
) => Promise<{ job: ClaimedJob; end: () => void } | null>;

/** Claims for some workers of this process: one account leaves some of them to others. */
export function claimInTurn(workers: number): ClaimInTurn {
  const perTenant = Math.max(1, Math.floor(workers * maxShare));
  const share = new FairShare({ size: workers, perCaller: perTenant, perTenant });
  let last: Promise<unknown> = Promise.resolve();
  return (query, due) => {
    // One claim at a time, so that each sees the last one.
    const claimed = last.then(async () => {
      const job = await claimJob(query, { ...due, busyAccounts: share.busyTenants() });
      if (job === null) return null;
      return { job, end: share.start({ caller: job.accountId, tenant: job.accountId }) };
    });
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
  const waiting = await query(sql`WITH RECURSIVE ${accountsOf(kinds)}
    SELECT 1 FROM accounts a WHERE a.id <> ${accountId} AND a."runAt" <= ${before}::timestamptz
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.status = 'running' AND j."accountId" = a.id
        AND j.kind = ANY (${kinds}::text[]) AND j."runAt" > ${now}::timestamptz)
    LIMIT 1`);
  return waiting.length > 0;
}
