import type { EventConsumer } from "../../kernel/events/consumers.ts";
import { tellingsOf } from "./rules.ts";
import { wantsSql } from "../../kernel/notification-preferences.ts";
import { sql } from "../../platform/db/sql.ts";
import { holds, neededFor, seesBoard } from "./visible.ts";

/** SQL: a new public id. `row` is a column of the row that it is for, without which all rows would have the same one. */
export const newPublicId = (row: string) =>
  `(SELECT string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + floor(random() * 36)::int, 1), '')
    FROM generate_series(1, 12) WHERE ${row} IS NOT NULL)`;

const needed = sql`(CASE WHEN r.whom = 'managers' THEN 'workspace:manage' ELSE ${neededFor(sql`r.data`, sql`r."cardId"`)} END)`;

/**
 * SQL: writes the notifications of the events that `recorded` has inserted, from their tellings as JSON, for everybody who may
 * and wants to hear of them, but the actor; of what one write did to one card everybody hears once.
 * Whoever is put on a card, or comments on it, watches it from then on.
 * `OFFSET 0` keeps every look-up one by index, however many rows the planner takes JSON for.
 */
export const notificationConsumer: EventConsumer = {
  inputOf: tellingsOf,
  ctes: (tellings) => `told AS (
    SELECT t.*, c.id AS "cardId", c."boardId"
    FROM jsonb_to_recordset(${tellings}::jsonb) AS t(event text, place int, rank int, type text, whom text, members text[], card text, data jsonb, watches boolean)
    LEFT JOIN LATERAL (SELECT id, "boardId" FROM cards WHERE "publicId" = t.card OFFSET 0) c ON true
  ), reached AS (
    SELECT t.*, m."userId", m.email FROM told t CROSS JOIN LATERAL (
      SELECT "userId", CASE WHEN t.whom = 'invited' THEN email END AS email FROM members
      WHERE "publicId" = ANY (t.members) AND "workspaceId" = $2::bigint OFFSET 0) m
    UNION ALL SELECT t.*, m."userId", NULL FROM told t CROSS JOIN LATERAL (
      SELECT m."userId" FROM card_members cm JOIN members m ON m.id = cm."memberId" WHERE cm."cardId" = t."cardId" OFFSET 0) m
      WHERE t.whom = 'crew'
    UNION ALL SELECT t.*, w."userId", NULL FROM told t CROSS JOIN LATERAL (
      SELECT "userId" FROM card_watchers WHERE "cardId" = t."cardId" OFFSET 0) w
      WHERE t.whom = 'watchers'
    UNION ALL SELECT t.*, m."userId", NULL FROM told t CROSS JOIN LATERAL (
      SELECT "userId" FROM members WHERE "workspaceId" = $2::bigint AND status = 'active' OFFSET 0) m
      WHERE t.whom = 'managers'
  ), watching AS (
    INSERT INTO card_watchers ("cardId", "userId", "createdAt")
    SELECT "cardId", "userId", $10::timestamptz FROM reached WHERE type = 'assigned' AND "userId" IS NOT NULL
    UNION SELECT "cardId", $4::bigint, $10::timestamptz FROM told WHERE watches AND $4::bigint IS NOT NULL
    ON CONFLICT DO NOTHING
  ), heard AS (
    SELECT DISTINCT ON (u.id, COALESCE(r.card, r.event)) r.*, u.id AS listener,
      ${wantsSql("r.type", "app")} AS app, ${wantsSql("r.type", "mail")} AS mail
    FROM reached r
    CROSS JOIN LATERAL (SELECT id, "notificationSettings" FROM users
      WHERE (id = r."userId" OR r."userId" IS NULL AND email = r.email) AND "deletedAt" IS NULL OFFSET 0) u
    LEFT JOIN LATERAL (SELECT id, visibility FROM boards WHERE id = r."boardId" OFFSET 0) board ON true
    LEFT JOIN LATERAL (SELECT id, "roleId" FROM members
      WHERE "workspaceId" = $2::bigint AND "userId" = u.id AND status = 'active' OFFSET 0) mine ON true
    LEFT JOIN LATERAL (SELECT permissions FROM roles WHERE id = mine."roleId" OFFSET 0) "myRole" ON true
    WHERE u.id IS DISTINCT FROM $4::bigint
      AND (${wantsSql("r.type", "app")} OR ${wantsSql("r.type", "mail")})
      AND (r.type = 'invited' OR mine.id IS NOT NULL AND ${holds(needed).text} AND ${seesBoard.text})
    ORDER BY u.id, COALESCE(r.card, r.event), r.rank, r.place
  ), notified AS (
  INSERT INTO notifications ("publicId", "userId", "workspaceId", "eventId", "boardId", "cardId", type, data, "createdAt", "inApp", "byMail")
  SELECT ${newPublicId("h.listener")}, h.listener, $2::bigint, recorded.id, h."boardId", h."cardId", h.type, h.data, $10::timestamptz,
    h.app, h.mail AND h.type <> 'invited'
  FROM heard h JOIN recorded ON recorded."publicId" = h.event
  WHERE h.app OR h.type <> 'invited')`,
};
