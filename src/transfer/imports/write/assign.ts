import { holdsPermission, isVisibleTo } from "../../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";

/** SQL: whether the member `m` with the role `r` is active or invited, and sees the board `b`. */
const canBeAssigned = sql`m.status <> 'removed'
  AND ${isVisibleTo(sql`m.id`, holdsPermission(sql`'workspace:manage'`))}`;

/** Assigns members to cards of boards that they see: `pairs` has `cardId` and `memberId`. */
export const assignMembers = (pairs: Sql, now: Date) => sql`
  INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
  SELECT c.id, m.id, c."workspaceId", ${now}::timestamptz
  FROM (${pairs}) pair JOIN cards c ON c.id = pair."cardId"
  JOIN boards b ON b.id = c."boardId"
  JOIN members m ON m.id = pair."memberId" AND m."workspaceId" = c."workspaceId"
  JOIN roles r ON r.id = m."roleId"
  WHERE ${canBeAssigned}
  ON CONFLICT DO NOTHING RETURNING "cardId", "memberId"`;
