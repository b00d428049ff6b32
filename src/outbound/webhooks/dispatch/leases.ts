import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";

/** How long a lease on a webhook lasts without renewal. */
export const webhookLeaseMs = 10_000;

// Rows are locked in the order of their ids, as everywhere, so that two writers cannot deadlock.
const leased = (leaseHolder: string, webhookIds: bigint[]) => sql`leased AS (
    SELECT id FROM webhooks
    WHERE "leasedBy" = ${leaseHolder} AND id = ANY (${webhookIds}::bigint[])
    ORDER BY id FOR NO KEY UPDATE)`;

/** Renews the leases of webhooks; returns those that are still held. */
export async function renewLeases(
  query: Query,
  leaseHolder: string,
  webhookIds: bigint[],
  now: Date,
): Promise<Set<bigint>> {
  const until = new Date(now.getTime() + webhookLeaseMs);
  const rows = await query<{ id: bigint }>(sql`WITH ${leased(leaseHolder, webhookIds)}
    UPDATE webhooks w SET "leasedUntil" = ${until}::timestamptz FROM leased
    WHERE w.id = leased.id RETURNING w.id`);
  return new Set(rows.map(({ id }) => id));
}

/** Releases webhooks, so that any process can claim them. */
export async function releaseLeases(
  query: Query,
  leaseHolder: string,
  webhookIds: bigint[],
): Promise<void> {
  if (webhookIds.length === 0) return;
  await query(sql`WITH ${leased(leaseHolder, webhookIds)}
    UPDATE webhooks w SET "leasedUntil" = NULL, "leasedBy" = NULL FROM leased
    WHERE w.id = leased.id`);
}
