import type { EventConsumer } from "../../kernel/events/consumers.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { storedIn } from "../../platform/db/written.ts";
import { candidates, matches, recipients } from "./recipients-sql.ts";
import { commentedCards, notificationsFor } from "./rules.ts";
import { newWatchers } from "./watchers-sql.ts";

/** SQL: selects the users' events of inserted notifications. */
export const notificationEvents = (notified: Sql): Sql => sql`
  SELECT "userId", 'notification.created' AS type,
    jsonb_build_object('notificationPublicId', "publicId") AS data
  FROM ${notified} WHERE "inApp"`;

/**
 * Writes the notifications of events: at most one for each recipient and card, and one for many
 * cards that one action assigns or changes.
 *
 * `OFFSET 0` makes each lookup use its index, however many rows the planner expects of JSON.
 */
export const notificationConsumer: EventConsumer = (write) => {
  const { workspaceId, actor, now, events, publicIds, isContinued } = write;
  const pending = notificationsFor(events, publicIds, actor);
  const commented = commentedCards(events, actor);
  const hasAssigned = pending.some(({ type }) => type === "assigned");
  const watching = hasAssigned || commented.length > 0;
  const watchers = newWatchers(actor.userId, commented, hasAssigned, now);
  const storedWatchers = storedIn(sql`new_watchers`);
  if (pending.length === 0) return watching ? { ctes: watchers, stored: [storedWatchers] } : null;
  const cards = new Set(pending.map(({ cardPublicId }) => cardPublicId));
  // An invitation has its own mail.
  const ctes = sql`${matches(pending)}, ${candidates(pending, workspaceId)},
    ${watching ? sql`${watchers}, ` : sql.empty}
    ${recipients(workspaceId, actor.userId, isContinued, cards.size <= 1)}, notified AS (
    INSERT INTO notifications ("publicId", "userId", "workspaceId", "eventId", "boardId", "cardId",
      type, data, "createdAt", "inApp", "byMail")
    SELECT ${newPublicIdSql(sql`r."recipientId"`)}, r."recipientId", ${workspaceId}::bigint,
      recorded.id, r."boardId", r."cardId", r.type, CASE WHEN r.cards = 1 THEN r.data
        ELSE r.data || jsonb_build_object('cards', r.cards) END, ${now}::timestamptz,
      r.app, r.mail AND r.type <> 'invited'
    FROM recipients r JOIN recorded ON recorded."publicId" = r."eventPublicId"
    WHERE r.app OR r.type <> 'invited'
    RETURNING id, "publicId", "userId", "inApp", pg_column_size(data) AS size)`;
  const stored = [storedIn(sql`notified`, sql`size`), ...(watching ? [storedWatchers] : [])];
  return { ctes, stored, userEvents: notificationEvents(sql`notified`) };
};
