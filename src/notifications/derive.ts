import { wantsSql } from "./preferences.ts";
import { holds, neededFor, seesBoard } from "./visible.ts";

/** SQL: a new public id. `row` is a column of the row that it is for, without which all rows would have the same one. */
export const newPublicId = (row: string) =>
  `(SELECT string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + floor(random() * 36)::int, 1), '')
    FROM generate_series(1, 12) WHERE ${row} IS NOT NULL)`;

/**
 * SQL: writes the notifications of the events that `recorded` has inserted, from their tellings as JSON, for everybody who may
 * and wants to hear of them, but the actor; of what one write did to one card everybody hears once.
 * `$2` is the workspace, `$4` the actor's user, `$10` the time, `$11` the tellings.
 * Whoever is put on a card, or comments on it, watches it from then on.
 */
export const notify = `told AS (
    SELECT t.*, c.id AS "cardId", c."boardId"
    FROM jsonb_to_recordset($11::jsonb) AS t(event text, place int, rank int, type text, whom text, members text[], card text, data jsonb, watches boolean)
    LEFT JOIN cards c ON c."publicId" = t.card
  ), reached AS (
    SELECT t.*, m."userId" FROM told t JOIN members m ON m."publicId" = ANY (t.members) AND m."workspaceId" = $2::bigint
      WHERE t.whom = 'named'
    UNION ALL SELECT t.*, u.id FROM told t JOIN members m ON m."publicId" = ANY (t.members) AND m."workspaceId" = $2::bigint
      JOIN users u ON u.id = m."userId" OR m."userId" IS NULL AND u.email = m.email
      WHERE t.whom = 'invited'
    UNION ALL SELECT t.*, m."userId" FROM told t JOIN card_members cm ON cm."cardId" = t."cardId" JOIN members m ON m.id = cm."memberId"
      WHERE t.whom = 'crew'
    UNION ALL SELECT t.*, w."userId" FROM told t JOIN card_watchers w ON w."cardId" = t."cardId"
      WHERE t.whom = 'watchers'
  ), watching AS (
    INSERT INTO card_watchers ("cardId", "userId", "createdAt")
    SELECT "cardId", "userId", $10::timestamptz FROM reached WHERE type = 'assigned' AND "userId" IS NOT NULL
    UNION SELECT "cardId", $4::bigint, $10::timestamptz FROM told WHERE watches AND $4::bigint IS NOT NULL
    ON CONFLICT DO NOTHING
  ), heard AS (
    SELECT DISTINCT ON (u.id, COALESCE(r.card, r.event)) r.*, ${wantsSql("r.type", "app")} AS app, ${wantsSql("r.type", "mail")} AS mail
    FROM reached r
    JOIN users u ON u.id = r."userId" AND u."deletedAt" IS NULL
    LEFT JOIN boards board ON board.id = r."boardId"
    LEFT JOIN members mine ON mine."workspaceId" = $2::bigint AND mine."userId" = u.id AND mine.status = 'active'
    LEFT JOIN roles "myRole" ON "myRole".id = mine."roleId"
    WHERE u.id IS DISTINCT FROM $4::bigint
      AND (${wantsSql("r.type", "app")} OR ${wantsSql("r.type", "mail")})
      AND (r.type = 'invited' OR mine.id IS NOT NULL AND ${holds(neededFor("r.data", 'r."cardId"'))} AND ${seesBoard})
    ORDER BY u.id, COALESCE(r.card, r.event), r.rank, r.place
  )
  INSERT INTO notifications ("publicId", "userId", "workspaceId", "eventId", "boardId", "cardId", type, data, "createdAt", "inApp", "byMail")
  SELECT ${newPublicId('h."userId"')}, h."userId", $2::bigint, recorded.id, h."boardId", h."cardId", h.type, h.data, $10::timestamptz,
    h.app, h.mail AND h.type <> 'invited'
  FROM heard h JOIN recorded ON recorded."publicId" = h.event
  WHERE h.app OR h.type <> 'invited'`;
