import { holds, neededFor, recipientSeesBoard } from "./visible-notifications.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { PendingNotification, Recipients } from "./rules.ts";
import { wantsSql } from "../../kernel/notification-preferences.ts";

/** SQL: the matches of the notification rules, from JSON, with the card of each. */
export const matches = (pending: PendingNotification[]): Sql => sql`matches AS (
    SELECT t.*, c.id AS "cardId", c."boardId"
    FROM jsonb_to_recordset(${JSON.stringify(pending)}::jsonb)
      AS t("eventPublicId" text, index int, rank int,
      type text, recipients text, "memberPublicIds" text[], "cardPublicId" text, data jsonb)
    LEFT JOIN LATERAL (
      SELECT id, "boardId" FROM cards WHERE "publicId" = t."cardPublicId" OFFSET 0) c ON true)`;

const from = (recipients: Sql, users: Sql): Sql => sql`
    SELECT t.*, m."userId", NULL AS email FROM matches t CROSS JOIN LATERAL (${users} OFFSET 0) m
    WHERE t.recipients = ${recipients}`;

const byPublicId = (workspaceId: bigint): Sql => sql`
    SELECT t.*, m."userId", m.email FROM matches t CROSS JOIN LATERAL (
      SELECT "userId", CASE WHEN t.recipients = 'invited' THEN email END AS email FROM members
      WHERE "publicId" = ANY (t."memberPublicIds") AND "workspaceId" = ${workspaceId}::bigint
      OFFSET 0) m`;

const ofAssignees = from(
  sql`'assignees'`,
  sql`SELECT m."userId" FROM card_members cm JOIN members m ON m.id = cm."memberId"
      WHERE cm."cardId" = t."cardId"`,
);
const ofWatchers = from(
  sql`'watchers'`,
  sql`SELECT "userId" FROM card_watchers WHERE "cardId" = t."cardId"`,
);
const ofManagers = (workspaceId: bigint) =>
  from(
    sql`'managers'`,
    sql`SELECT "userId" FROM members
      WHERE "workspaceId" = ${workspaceId}::bigint AND status = 'active'`,
  );

/** SQL: the matches, once for each possible recipient. */
export function candidates(pending: PendingNotification[], workspaceId: bigint): Sql {
  const namedMembers = byPublicId(workspaceId);
  const ofKind: Record<Recipients, Sql> = {
    members: namedMembers,
    invited: namedMembers,
    assignees: ofAssignees,
    watchers: ofWatchers,
    managers: ofManagers(workspaceId),
  };
  const kinds = new Set<string>(pending.map(({ recipients }) => recipients));
  const selects = Object.entries(ofKind).flatMap(([kind, users]) => (kinds.has(kind) ? users : []));
  return sql`candidates AS (${sql.join([...new Set(selects)], sql` UNION ALL `)})`;
}

const needed = sql`(CASE WHEN r.recipients = 'managers' THEN 'workspace:manage'
    ELSE ${neededFor(sql`r.data`, sql`r."cardId"`)} END)`;
const wantsApp = wantsSql(sql`r.type`, "app");
const wantsMail = wantsSql(sql`r.type`, "mail");

/** SQL: whether an earlier statement of this transaction notified the user of the card. */
const isNotified = sql`EXISTS (SELECT FROM notifications n WHERE n."userId" = u.id
      AND n."cardId" = r."cardId" AND n.xmin = pg_current_xact_id()::xid)`;

/** SQL: for each user and card the match of the lowest rank, if the user can see and wants it. */
const ofCards = (workspaceId: bigint, actorId: bigint | null, isContinued: boolean): Sql => sql`
    SELECT DISTINCT ON (u.id, COALESCE(r."cardPublicId", r."eventPublicId")) r.*,
      u.id AS "recipientId", ${wantsApp} AS app, ${wantsMail} AS mail
    FROM candidates r
    CROSS JOIN LATERAL (SELECT id, "notificationSettings" FROM users
      WHERE (id = r."userId" OR r."userId" IS NULL AND email = r.email)
        AND "deletedAt" IS NULL OFFSET 0) u
    LEFT JOIN LATERAL (
      SELECT id, visibility FROM boards WHERE id = r."boardId" OFFSET 0) board ON true
    LEFT JOIN LATERAL (SELECT id, "roleId" FROM members
      WHERE "workspaceId" = ${workspaceId}::bigint AND "userId" = u.id AND status = 'active'
      OFFSET 0) mine ON true
    LEFT JOIN LATERAL (
      SELECT permissions FROM roles WHERE id = mine."roleId" OFFSET 0) "myRole" ON true
    WHERE u.id IS DISTINCT FROM ${actorId}::bigint AND (${wantsApp} OR ${wantsMail})
      AND (r.type = 'invited' OR mine.id IS NOT NULL AND ${holds(needed)} AND ${recipientSeesBoard})
      ${isContinued ? sql`AND NOT ${isNotified}` : sql.empty}
    ORDER BY u.id, COALESCE(r."cardPublicId", r."eventPublicId"), r.rank, r.index`;

/** SQL: the cards `r` of a user that one action names in the same way; texts stay apart. */
const action = sql`CASE WHEN r.type IN ('assigned', 'watched') AND r."cardId" IS NOT NULL
      AND NOT r.data ? 'comment' THEN r.type || ' ' || (r.data ->> 'event')
    ELSE COALESCE(r."cardPublicId", r."eventPublicId") END`;

/** SQL: the notification `n` of an earlier statement of this transaction has more such cards. */
const isSameAction = sql`n."userId" = r."recipientId" AND n.xmin = pg_current_xact_id()::xid
      AND n.type || ' ' || (n.data ->> 'event') = r.action AND n."cardId" IS NOT NULL
      AND NOT n.data ? 'comment'`;

/**
 * SQL: `recipients`, one row for each notification: of many cards that one action names in the
 * same way, the first one with their number.
 */
export const recipients = (
  workspaceId: bigint,
  actorId: bigint | null,
  isContinued: boolean,
  isOfOneCard: boolean,
): Sql => {
  const rows = ofCards(workspaceId, actorId, isContinued);
  if (isOfOneCard && !isContinued)
    return sql`recipients AS (SELECT *, 1 AS cards FROM (${rows}) r)`;
  const grouped = sql`of_cards AS (${rows}), actions AS (
    SELECT DISTINCT ON (r."recipientId", r.action) r.*,
      count(*) OVER (PARTITION BY r."recipientId", r.action)::int AS cards
    FROM (SELECT r.*, ${action} AS action FROM of_cards r) r
    ORDER BY r."recipientId", r.action, r.index)`;
  if (!isContinued) return sql`${grouped}, recipients AS (SELECT * FROM actions)`;
  return sql`${grouped}, counted AS (UPDATE notifications n
      SET data = n.data || jsonb_build_object('cards',
        coalesce((n.data ->> 'cards')::int, 1) + r.cards)
      FROM actions r WHERE ${isSameAction} RETURNING 1),
    recipients AS (SELECT * FROM actions r
      WHERE NOT EXISTS (SELECT FROM notifications n WHERE ${isSameAction}))`;
};
