import type { Query } from "../../platform/db/query.ts";

/** What waits in the background: jobs that are due and how long the first of them has been, and deliveries on their way. */
export type Backlog = { waiting: number; lagSeconds: number; pendingDeliveries: number };

// A job that runs is due again when its lease ends: one that is past that was left behind, and waits as well.
const due = `FROM jobs WHERE status IN ('queued', 'running') AND "runAt" <= $1::timestamptz`;
const lag = `coalesce(extract(epoch FROM $1::timestamptz - min("runAt")), 0)::float8 AS "lagSeconds"`;
const statement = `SELECT count(*)::int AS waiting, ${lag},
    (SELECT count(*)::int FROM deliveries WHERE status = 'pending') AS "pendingDeliveries"
  ${due}`;

/** For how many seconds the first job that is due has waited. */
export async function readLag(query: Query, now: Date): Promise<number> {
  const [row] = await query<Pick<Backlog, "lagSeconds">>(`SELECT ${lag} ${due}`, [now]);
  return row?.lagSeconds ?? 0;
}

/** Counts what waits. */
export async function readBacklog(query: Query, now: Date): Promise<Backlog> {
  const [row] = await query<Backlog>(statement, [now]);
  return row ?? { waiting: 0, lagSeconds: 0, pendingDeliveries: 0 };
}
