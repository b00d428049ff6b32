import type { Query } from "../../../platform/db/query.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";

// Skips from webhook to webhook along an index, instead of reading every pending delivery.
const nextWebhook = (after: Sql) => sql`(SELECT d."webhookId" FROM deliveries d
  WHERE d.status = 'pending' AND d."webhookId" > ${after} ORDER BY d."webhookId" LIMIT 1)`;

const statement = (after: bigint, max: number) => sql`WITH RECURSIVE pending(id, number) AS (
    SELECT ${nextWebhook(sql`${after}::bigint`)}, 1
    UNION ALL
    SELECT ${nextWebhook(sql`pending.id`)}, pending.number + 1 FROM pending
    WHERE pending.id IS NOT NULL AND pending.number < ${max}::int)
  SELECT id FROM pending WHERE id IS NOT NULL`;

/** The next `max` webhooks with pending deliveries, in the order of their ids. */
export async function findPending(query: Query, after: bigint, max: number): Promise<bigint[]> {
  const rows = await query<{ id: bigint }>(statement(after, max));
  return rows.map(({ id }) => id);
}
