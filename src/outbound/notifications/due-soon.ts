import type { Deps } from "../../kernel/request/deps.ts";
import type { JobContext } from "../../kernel/jobs/lease.ts";
import { wantsSql } from "../../kernel/notification-preferences.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { notificationEvents } from "./fan-out.ts";
import { appendUserEvents } from "../../kernel/events/user-log.ts";
import { holds, recipientSeesBoard } from "./visible-notifications.ts";

const aheadMs = 24 * 60 * 60_000;
const batch = 500;

/** The last card of a batch, in the order of due dates. */
type Cursor = { dueDate: Date; id: bigint };

const dueDate = sql`to_char(due."dueDate" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const wantsApp = wantsSql(sql`'due_soon'`, "app");
const wantsMail = wantsSql(sql`'due_soon'`, "mail");

const dueCards = (now: Date, after: Cursor) => sql`due AS MATERIALIZED (
    SELECT c.id, c."workspaceId", c."boardId", c."dueDate" FROM cards c
    WHERE c."deletedAt" IS NULL AND c."archivedAt" IS NULL AND c."completedAt" IS NULL
      AND c."dueDate" > ${now}::timestamptz
      AND c."dueDate" <= ${new Date(now.getTime() + aheadMs)}::timestamptz
      AND (c."dueDate", c.id) > (${after.dueDate}::timestamptz, ${after.id}::bigint)
    ORDER BY c."dueDate", c.id LIMIT ${batch}::int)`;

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
    JOIN users u ON u.id = candidate."userId" AND u."deletedAt" IS NULL
    JOIN members mine ON mine."workspaceId" = due."workspaceId" AND mine."userId" = u.id
      AND mine.status = 'active'
    JOIN roles "myRole" ON "myRole".id = mine."roleId"`;

const statement = (now: Date, after: Cursor) => sql`WITH ${dueCards(now, after)}, notified AS (
    INSERT INTO notifications ("publicId", "userId", "workspaceId", "boardId", "cardId", type, data,
      "createdAt", "uniqueKey", "inApp", "byMail")
    SELECT ${newPublicIdSql(sql`u.id`)}, u.id, due."workspaceId", due."boardId", due.id, 'due_soon',
      jsonb_build_object('event', NULL, 'actor', NULL, 'dueDate', ${dueDate}), ${now}::timestamptz,
      keys.key, ${wantsApp}, ${wantsMail}
    ${recipients}
    CROSS JOIN LATERAL (
      SELECT 'due_soon:' || due.id || ':' || ${dueDate} || ':' || u.id AS key) keys
    WHERE ${holds(sql`'card:view'`)} AND ${recipientSeesBoard} AND (${wantsApp} OR ${wantsMail})
      AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n."uniqueKey" = keys.key)
    ON CONFLICT ("uniqueKey") DO NOTHING
    RETURNING id, "publicId", "userId", "inApp"),
  ${appendUserEvents(notificationEvents(sql`notified`), now)}
  SELECT "dueDate", id, ARRAY(SELECT "userId"::text FROM appended) AS "userIds"
  FROM due ORDER BY "dueDate" DESC, id DESC LIMIT 1`;

/** Notifies members and watchers of open cards that are due within a day, once per due date. */
export async function dueSoon(deps: Deps, _: unknown, { alive }: JobContext): Promise<void> {
  const now = deps.clock();
  let cursor: Cursor | undefined = { dueDate: now, id: 0n };
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
  const [last] = await db.transact((_tx, query) =>
    query<Cursor & { userIds: string[] }>(statement(now, after)),
  );
  const userIds = (last?.userIds ?? []).map(BigInt);
  if (userIds.length > 0) {
    notifier.notify({ workspaceId: null, hasWork: false, userIds, isHere: true });
  }
  return last;
}
