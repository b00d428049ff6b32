import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Webhook } from "../../platform/db/rows.ts";
import { conflict } from "../../platform/errors.ts";
import type { Derived, EventConsumer } from "../../kernel/events/consumers.ts";
import { storedIn } from "../../platform/db/written.ts";

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
  tx.recordChange(webhook.workspaceId, Promise.resolve({ hasWork: true, userIds: [] }));
  return queued.length;
}

/** 409 when a webhook is inactive. */
export function checkActive({ active }: Webhook): void {
  if (!active)
    throw conflict("webhook_inactive", "The webhook is not active. Set `active` to true first.");
}

/**
 * SQL: whether the webhook `w`, limited to the board `b` if it has one, receives the event `e`.
 *
 * A card that moves to another board is an event of both boards. A webhook receives no personal
 * event, and no event about itself.
 */
export const receives = sql`w.events && ARRAY['*', e.type, split_part(e.type, '.', 1) || '.*']
  AND e.type NOT LIKE 'access.%' AND (w."boardId" IS NULL
    OR b."publicId" = e."boardPublicId"
    OR e.type = 'card.moved' AND b."publicId" = e.data #>> '{from,boardPublicId}')
  AND e.data #>> '{webhook,publicId}' IS DISTINCT FROM w."publicId"`;

/**
 * Writes a delivery of each event for each active webhook that receives it.
 *
 * A webhook that was created while the call ran may not receive its events.
 */
export const webhookConsumer: EventConsumer = ({ workspaceId, now, mayHaveWebhooks }) =>
  mayHaveWebhooks ? deliveriesIn(workspaceId, now) : null;

const deliveriesIn = (workspaceId: bigint, now: Date): Derived => ({
  ctes: sql`delivered AS (
    INSERT INTO deliveries
      ("publicId", "workspaceId", "webhookId", "eventId", type, "nextAttemptAt", "createdAt")
    SELECT ${newPublicIdSql(sql`e.id + w.id`)}, w."workspaceId", w.id, e.id, e.type,
      ${now}::timestamptz, ${now}::timestamptz
    FROM webhooks w LEFT JOIN boards b ON b.id = w."boardId" JOIN recorded e ON ${receives}
    WHERE w."workspaceId" = ${workspaceId}::bigint AND w.active AND w."deletedAt" IS NULL
    ORDER BY e.id RETURNING 1)`,
  stored: [storedIn(sql`delivered`)],
  isWork: sql`EXISTS (SELECT 1 FROM delivered)`,
});
