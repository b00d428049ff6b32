import { holds, neededFor, seesBoard } from "./visible-notifications.ts";
import { sql } from "../../platform/db/sql.ts";
import { wantsSql } from "../../kernel/notification-preferences.ts";

/** SQL: the matches of the notification rules, from JSON, with the card of each. */
export const matches = (json: string) => `matches AS (
    SELECT t.*, c.id AS "cardId", c."boardId"
    FROM jsonb_to_recordset(${json}::jsonb) AS t("eventPublicId" text, index int, rank int,
      type text, recipients text, "memberPublicIds" text[], "cardPublicId" text, data jsonb,
      "actorWatches" boolean)
    LEFT JOIN LATERAL (
      SELECT id, "boardId" FROM cards WHERE "publicId" = t."cardPublicId" OFFSET 0) c ON true)`;

const from = (recipients: string, users: string) => `
    SELECT t.*, m."userId", NULL FROM matches t CROSS JOIN LATERAL (${users} OFFSET 0) m
    WHERE t.recipients = '${recipients}'`;

const byPublicId = `
    SELECT t.*, m."userId", m.email FROM matches t CROSS JOIN LATERAL (
      SELECT "userId", CASE WHEN t.recipients = 'invited' THEN email END AS email FROM members
      WHERE "publicId" = ANY (t."memberPublicIds") AND "workspaceId" = $2::bigint OFFSET 0) m`;

/** SQL: the matches, once for each possible recipient. */
export const candidates = `candidates AS (${byPublicId}
    UNION ALL ${from(
      "assignees",
      `SELECT m."userId" FROM card_members cm JOIN members m ON m.id = cm."memberId"
      WHERE cm."cardId" = t."cardId"`,
    )}
    UNION ALL ${from("watchers", `SELECT "userId" FROM card_watchers WHERE "cardId" = t."cardId"`)}
    UNION ALL ${from(
      "managers",
      `SELECT "userId" FROM members WHERE "workspaceId" = $2::bigint AND status = 'active'`,
    )})`;

/** SQL: assigned members and authors of comments watch the card from now on. */
export const newWatchers = `new_watchers AS (
    INSERT INTO card_watchers ("cardId", "userId", "createdAt")
    SELECT "cardId", "userId", $10::timestamptz FROM candidates
    WHERE type = 'assigned' AND "userId" IS NOT NULL
    UNION SELECT "cardId", $4::bigint, $10::timestamptz FROM matches
    WHERE "actorWatches" AND $4::bigint IS NOT NULL
    ON CONFLICT DO NOTHING)`;

const needed = sql`(CASE WHEN r.recipients = 'managers' THEN 'workspace:manage'
    ELSE ${neededFor(sql`r.data`, sql`r."cardId"`)} END)`;
const wantsApp = wantsSql("r.type", "app");
const wantsMail = wantsSql("r.type", "mail");

/** SQL: for each user and card the match of the lowest rank, if the user can see and wants it. */
export const recipients = `recipients AS (
    SELECT DISTINCT ON (u.id, COALESCE(r."cardPublicId", r."eventPublicId")) r.*,
      u.id AS "recipientId", ${wantsApp} AS app, ${wantsMail} AS mail
    FROM candidates r
    CROSS JOIN LATERAL (SELECT id, "notificationSettings" FROM users
      WHERE (id = r."userId" OR r."userId" IS NULL AND email = r.email)
        AND "deletedAt" IS NULL OFFSET 0) u
    LEFT JOIN LATERAL (
      SELECT id, visibility FROM boards WHERE id = r."boardId" OFFSET 0) board ON true
    LEFT JOIN LATERAL (SELECT id, "roleId" FROM members
      WHERE "workspaceId" = $2::bigint AND "userId" = u.id AND status = 'active'
      OFFSET 0) mine ON true
    LEFT JOIN LATERAL (
      SELECT permissions FROM roles WHERE id = mine."roleId" OFFSET 0) "myRole" ON true
    WHERE u.id IS DISTINCT FROM $4::bigint AND (${wantsApp} OR ${wantsMail})
      AND (r.type = 'invited' OR mine.id IS NOT NULL AND ${holds(needed).text} AND ${seesBoard.text})
    ORDER BY u.id, COALESCE(r."cardPublicId", r."eventPublicId"), r.rank, r.index)`;
