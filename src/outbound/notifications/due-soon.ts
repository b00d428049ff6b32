import type { Deps } from "../../kernel/request/deps.ts";
import { newPublicId } from "./fan-out.ts";
import { wantsSql } from "../../kernel/notification-preferences.ts";
import { sql } from "../../platform/db/sql.ts";
import { holds, seesBoard } from "./visible.ts";
import type { JobContext } from "../../kernel/jobs/run.ts";

const aheadMs = 24 * 60 * 60_000;
const batch = 500;

type Last = { dueDate: Date; id: bigint };

const iso = `to_char(due."dueDate" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const statement = `WITH due AS MATERIALIZED (
    SELECT c.id, c."workspaceId", c."boardId", c."dueDate" FROM cards c
    WHERE c."deletedAt" IS NULL AND c."archivedAt" IS NULL AND c."completedAt" IS NULL
      AND c."dueDate" > $1::timestamptz AND c."dueDate" <= $2::timestamptz AND (c."dueDate", c.id) > ($3::timestamptz, $4::bigint)
    ORDER BY c."dueDate", c.id LIMIT $5::int
  ), told AS (
    INSERT INTO notifications ("publicId", "userId", "workspaceId", "boardId", "cardId", type, data, "createdAt", "uniqueKey", "inApp", "byMail")
    SELECT ${newPublicId("u.id")}, u.id, due."workspaceId", due."boardId", due.id, 'due_soon',
      jsonb_build_object('event', NULL, 'actor', NULL, 'dueDate', ${iso}), $1::timestamptz, keys.key,
      ${wantsSql("'due_soon'", "app")}, ${wantsSql("'due_soon'", "mail")}
    FROM due
    JOIN cards c ON c.id = due.id
    JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL AND l."archivedAt" IS NULL
    JOIN boards board ON board.id = due."boardId" AND board."deletedAt" IS NULL AND board."archivedAt" IS NULL AND board.type = 'regular'
    JOIN workspaces w ON w.id = due."workspaceId" AND w."deletedAt" IS NULL
    CROSS JOIN LATERAL (
      SELECT m."userId" FROM card_members cm JOIN members m ON m.id = cm."memberId" WHERE cm."cardId" = due.id
      UNION SELECT cw."userId" FROM card_watchers cw WHERE cw."cardId" = due.id) who
    JOIN users u ON u.id = who."userId" AND u."deletedAt" IS NULL
    JOIN members mine ON mine."workspaceId" = due."workspaceId" AND mine."userId" = u.id AND mine.status = 'active'
    JOIN roles "myRole" ON "myRole".id = mine."roleId"
    CROSS JOIN LATERAL (SELECT 'due_soon:' || due.id || ':' || ${iso} || ':' || u.id AS key) keys
    WHERE ${holds(sql`'card:view'`).text} AND ${seesBoard.text}
      AND (${wantsSql("'due_soon'", "app")} OR ${wantsSql("'due_soon'", "mail")})
      AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n."uniqueKey" = keys.key)
    ON CONFLICT ("uniqueKey") DO NOTHING
  )
  SELECT "dueDate", id FROM due ORDER BY "dueDate" DESC, id DESC LIMIT 1`;

async function tell({ db }: Deps, now: Date, { dueDate, id }: Last): Promise<Last | undefined> {
  const values = [now, new Date(now.getTime() + aheadMs), dueDate, id, batch];
  const [last] = await db.transact((_tx, query) => query<Last>(statement, values));
  return last;
}

/** Tells the members and watchers of live, open cards that are due within a day, once for each due date. */
export async function dueSoon(deps: Deps, _: unknown, { alive }: JobContext): Promise<void> {
  const now = deps.clock();
  let last: Last | undefined = { dueDate: now, id: 0n };
  while (last !== undefined) {
    last = await tell(deps, now, last);
    await alive();
  }
}
