import type { EventConsumer } from "../../kernel/events/consumers.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { storedIn } from "../../platform/db/written.ts";

/**
 * SQL: whether the webhook `w`, limited to the board `b` if it has one, receives the event `e`.
 *
 * A card that moves to another board is an event of both boards. A webhook receives no personal
 * event, and no event about itself.
 */
export const receives = sql`w.events && ARRAY['*', e.type, split_part(e.type, '.', 1) || '.*']
  AND e.type NOT LIKE 'access.%' AND (w."boardId" IS NULL
    OR b."publicId" IN (e."boardPublicId", e.data #>> '{from,boardPublicId}'))
  AND e.data #>> '{webhook,publicId}' IS DISTINCT FROM w."publicId"`;

/** Writes a delivery of each event for each active webhook that receives it. */
export const webhookConsumer: EventConsumer = ({ workspaceId, now }) => ({
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
