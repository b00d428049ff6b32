import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";

const batch = 1_000;

const statement = (webhookId: bigint, now: Date) => sql`UPDATE deliveries
  SET status = 'failed', "nextAttemptAt" = NULL, "finishedAt" = ${now}::timestamptz,
    error = CASE WHEN w."deletedAt" IS NOT NULL THEN 'The webhook was deleted.'
      WHEN NOT w.active THEN 'The webhook is inactive.'
      ELSE 'The event was deleted: it is older than the retention period.' END
  FROM webhooks w
  WHERE w.id = ${webhookId} AND deliveries.id IN (
    SELECT d.id FROM deliveries d
    WHERE d."webhookId" = ${webhookId} AND d.status = 'pending'
      AND (NOT w.active OR w."deletedAt" IS NOT NULL OR d."eventId" IS NULL)
    LIMIT ${sql.number(batch)} FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING deliveries.id`;

/** Fails a batch of deliveries that cannot be sent; returns whether there may be more. */
export async function endPending(query: Query, webhookId: bigint, now: Date): Promise<boolean> {
  const ended = await query(statement(webhookId, now));
  return ended.length === batch;
}
