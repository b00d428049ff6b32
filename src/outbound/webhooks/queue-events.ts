import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import type { Webhook } from "../../platform/db/rows.ts";
import { conflict } from "../../platform/errors.ts";

const insert = `INSERT INTO deliveries
    ("publicId", "workspaceId", "webhookId", "eventId", type, "nextAttemptAt", "createdAt")
  SELECT ${newPublicIdSql("e.id")}, $2::bigint, $1::bigint, e.id, e.type,
    $4::timestamptz, $4::timestamptz
  FROM events e
  WHERE e.id = ANY ($3::bigint[]) AND NOT EXISTS (
    SELECT 1 FROM deliveries d
    WHERE d."webhookId" = $1 AND d."eventId" = e.id AND d.status = 'pending')
  ORDER BY e.id RETURNING id`;

/** Queues events for a locked webhook, except those that are pending; returns how many. */
export async function queueEvents(
  tx: UnitOfWork<never>,
  webhook: Webhook,
  eventIds: bigint[],
): Promise<number> {
  const queued = await tx.query(insert, [webhook.id, webhook.workspaceId, eventIds, tx.now]);
  // Wakes the dispatcher when the transaction commits.
  tx.changedWorkspaces.add(webhook.workspaceId);
  return queued.length;
}

/** 409 when a webhook is inactive. */
export function checkActive({ active }: Webhook): void {
  if (!active) throw conflict("The webhook is not active. Set `active` to true first.");
}
