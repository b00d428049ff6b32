import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Webhook } from "../../platform/db/rows.ts";
import { conflict } from "../../platform/errors.ts";

/** Queues events for a locked webhook, except those that are pending; returns how many. */
export async function queueEvents(
  tx: UnitOfWork<never>,
  webhook: Webhook,
  eventIds: bigint[],
): Promise<number> {
  const queued = await tx.query(sql`INSERT INTO deliveries
      ("publicId", "workspaceId", "webhookId", "eventId", type, "nextAttemptAt", "createdAt")
    SELECT ${newPublicIdSql(sql`e.id`)}, ${webhook.workspaceId}::bigint, ${webhook.id}::bigint,
      e.id, e.type, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    FROM events e
    WHERE e.id = ANY (${eventIds}::bigint[]) AND NOT EXISTS (
      SELECT 1 FROM deliveries d
      WHERE d."webhookId" = ${webhook.id} AND d."eventId" = e.id AND d.status = 'pending')
    ORDER BY e.id RETURNING id`);
  // Wakes the dispatcher when the transaction commits.
  tx.noteChange(webhook.workspaceId, Promise.resolve({ hasWork: true, userIds: [] }));
  return queued.length;
}

/** 409 when a webhook is inactive. */
export function checkActive({ active }: Webhook): void {
  if (!active)
    throw conflict("webhook_inactive", "The webhook is not active. Set `active` to true first.");
}
