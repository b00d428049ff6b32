import { holdsPermission, isVisibleTo } from "./visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";

const manages = holdsPermission(sql`'workspace:manage'`);

/** SQL: the ids of those members who cannot see a board. */
export const membersWithoutAccess = (boardId: bigint, memberIds: Sql) => sql`SELECT m.id
  FROM members m JOIN roles r ON r.id = m."roleId" JOIN boards b ON b.id = ${boardId}
  WHERE m.id IN (${memberIds}) AND m.status <> 'removed'
    AND NOT ${isVisibleTo(sql`m.id`, manages)}`;

/** 409: a member cannot see the board of a card. */
export const memberWithoutAccess = (path: string[]) =>
  conflict(
    "member_without_access",
    "The member cannot see this board. Add them to the board first.",
    path,
  );

/** SQL: whether the member `m` with the role `r` can see the board `b`. */
export const seesBoard = isVisibleTo(sql`m.id`, manages);

/** 409 when one of the members, whom `pathOf` finds in the input, cannot see the board of the card. */
export async function checkMembersSee(
  query: Query,
  boardId: bigint,
  memberIds: bigint[],
  pathOf: (memberId: bigint) => string[],
): Promise<void> {
  const ids = sql`SELECT unnest(${memberIds}::bigint[])`;
  const [blind] = await query<{ id: bigint }>(sql`${membersWithoutAccess(boardId, ids)} LIMIT 1`);
  if (blind !== undefined) throw memberWithoutAccess(pathOf(blind.id));
}
