import { isActiveAccount } from "../../kernel/access/active-account.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { JobContext } from "../../kernel/jobs/lease.ts";
import { wantsSql } from "../../kernel/notification-preferences.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { notificationEvents } from "./fan-out.ts";
import { userLog } from "../../kernel/events/logs.ts";
import {
  appendUserEvents,
  userEventList,
  type UserEventRow,
} from "../../kernel/events/user-log.ts";
import { holds, recipientSeesBoard } from "./visible-notifications.ts";

const hourMs = 60 * 60_000;
const aheadMs = 24 * hourMs;
/** How long before the end of a day, somewhere on earth, its midnight in UTC is at most. */
const longestDayMs = 37 * hourMs;
const batch = 500;

/** The last card of a batch, in the order of due dates. */
type Cursor = { dueDate: Date; id: bigint };

const dueDate = sql`to_char(due."dueDate" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const wantsApp = wantsSql(sql`'due_soon'`, "app");
const wantsMail = wantsSql(sql`'due_soon'`, "mail");

const dueCards = (now: Date, after: Cursor) => sql`due AS MATERIALIZED (
    SELECT c.id, c."workspaceId", c."boardId", c."dueDate", c."isDueAllDay" FROM cards c
    WHERE c."deletedAt" IS NULL AND c."archivedAt" IS NULL AND c."completedAt" IS NULL
      AND (c."dueDate" > ${now}::timestamptz OR c."isDueAllDay")
      AND c."dueDate" <= ${new Date(now.getTime() + aheadMs)}::timestamptz
      AND (c."dueDate", c.id) > (${after.dueDate}::timestamptz, ${after.id}::bigint)
    ORDER BY c."dueDate", c.id LIMIT ${batch}::int)`;

/** SQL: when the whole day `due` ends for the user `u` of the workspace `w`. */
const endOfDay = sql`((due."dueDate" AT TIME ZONE 'UTC' + interval '1 day')
  AT TIME ZONE coalesce(u."timeZone", w."timeZone", 'UTC'))`;

/** SQL: whether a card is due within a day for a recipient: a whole day, when it has begun. */
const isSoon = (now: Date) => sql`(NOT due."isDueAllDay" OR ${endOfDay} > ${now}::timestamptz
  AND ${endOfDay} <= ${new Date(now.getTime() + aheadMs)}::timestamptz)`;

const recipients = sql`FROM due
    JOIN cards c ON c.id = due.id
    JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL AND l."archivedAt" IS NULL
    JOIN boards board ON board.id = due."boardId" AND board."deletedAt" IS NULL
      AND board."archivedAt" IS NULL AND board.type = 'regular'
    JOIN workspaces w ON w.id = due."workspaceId" AND w."deletedAt" IS NULL
    CROSS JOIN LATERAL (
      SELECT m."userId" FROM card_members cm JOIN members m ON m.id = cm."memberId"
      WHERE cm."cardId" = due.id
      UNION SELECT cw."userId" FROM card_watchers cw WHERE cw."cardId" = due.id) candidate
    JOIN users u ON u.id = candidate."userId" AND ${isActiveAccount}
    JOIN members mine ON mine."workspaceId" = due."workspaceId" AND mine."userId" = u.id
      AND mine.status = 'active'
    JOIN roles "myRole" ON "myRole".id = mine."roleId"`;

const statement = (now: Date, after: Cursor) => sql`WITH ${dueCards(now, after)}, notified AS (
    INSERT INTO notifications ("publicId", "userId", "workspaceId", "boardId", "cardId", type, data,
      "createdAt", "uniqueKey", "inApp", "byMail")
    SELECT ${newPublicIdSql(sql`u.id`)}, u.id, due."workspaceId", due."boardId", due.id, 'due_soon',
      jsonb_build_object('event', NULL, 'actor', NULL, 'dueDate', ${dueDate},
        'isDueAllDay', due."isDueAllDay"), ${now}::timestamptz,
      keys.key, ${wantsApp}, ${wantsMail}
    ${recipients}
    CROSS JOIN LATERAL (
      SELECT 'due_soon:' || due.id || ':' || ${dueDate}
        || CASE WHEN due."isDueAllDay" THEN ':day:' ELSE ':' END || u.id AS key) keys
    WHERE ${isSoon(now)} AND ${holds(sql`'card:view'`)} AND ${recipientSeesBoard} AND (${wantsApp} OR ${wantsMail})
      AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n."uniqueKey" = keys.key)
    ON CONFLICT ("uniqueKey") DO NOTHING
    RETURNING id, "publicId", "userId", "inApp")
  SELECT "dueDate", id, ${userEventList([notificationEvents(sql`notified`)])} AS "userEvents"
  FROM due ORDER BY "dueDate" DESC, id DESC LIMIT 1`;

/** Notifies members and watchers of open cards that are due within a day, once per due date. */
export async function dueSoon(deps: Deps, _: unknown, { alive }: JobContext): Promise<void> {
  const now = deps.clock();
  let cursor: Cursor | undefined = {
    dueDate: new Date(now.getTime() - longestDayMs),
    id: 0n,
  };
  while (cursor !== undefined) {
    cursor = await notifyBatch(deps, now, cursor);
    await alive();
  }
}

async function notifyBatch(
  { db, notifier }: Deps,
  now: Date,
  after: Cursor,
): Promise<Cursor | undefined> {
  const { last, userIds } = await db.transact(async (_, query) => {
    const [row] = await query<Cursor & { userEvents: UserEventRow[] }>(statement(now, after));
    const { userEvents = [] } = row ?? {};
    return { last: row, userIds: await appendUserEvents(query, userEvents, now) };
  });
  for (const id of userIds) notifier.notify({ log: userLog(id), hasWork: false, isHere: true });
  return last;
}
