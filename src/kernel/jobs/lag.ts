import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

/** The waiting work: due jobs, the wait of the oldest one, and pending deliveries. */
export type Backlog = { waiting: number; lagSeconds: number; pendingDeliveries: number };

// `runAt` of a running job is the end of its lease. After that its worker is dead, and it waits.
const due = (now: Date) =>
  sql`FROM jobs WHERE status IN ('queued', 'running') AND "runAt" <= ${now}::timestamptz`;
const lag = (now: Date) =>
  sql`coalesce(extract(epoch FROM ${now}::timestamptz - min("runAt")), 0)::float8
    AS "lagSeconds"`;
const backlog = (now: Date) => sql`SELECT count(*)::int AS waiting, ${lag(now)},
    (SELECT count(*)::int FROM deliveries WHERE status = 'pending') AS "pendingDeliveries"
  ${due(now)}`;

/** How many seconds the oldest due job has waited. */
export async function readLag(query: Query, now: Date): Promise<number> {
  const [row] = await query<Pick<Backlog, "lagSeconds">>(sql`SELECT ${lag(now)} ${due(now)}`);
  return row?.lagSeconds ?? 0;
}

/** Counts the waiting work. */
export async function readBacklog(query: Query, now: Date): Promise<Backlog> {
  const [row] = await query<Backlog>(backlog(now));
  return row ?? { waiting: 0, lagSeconds: 0, pendingDeliveries: 0 };
}
