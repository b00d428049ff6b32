import { holdsPermission, isVisibleTo } from "./visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";

const manages = holdsPermission(sql`'workspace:manage'`);

/** SQL: the ids of members `m` of `memberIds` who cannot see the board `b` with an id. */
const membersWithoutAccess = (boardId: bigint, memberIds: Sql) => sql`SELECT m.id
  FROM members m JOIN roles r ON r.id = m."roleId" JOIN boards b ON b.id = ${boardId}
  WHERE m.id IN (${memberIds}) AND m.status <> 'removed'
    AND NOT ${isVisibleTo(sql`m.id`, manages)}`;

/** SQL: the ids of the members that cards and their checklist items are assigned to. */
const assigneesOf = (cardIds: bigint[]) => sql`SELECT cm."memberId" FROM card_members cm
    WHERE cm."cardId" = ANY(${cardIds}::bigint[])
  UNION SELECT i."memberId" FROM checklist_items i JOIN checklists ch ON ch.id = i."checklistId"
    WHERE ch."cardId" = ANY(${cardIds}::bigint[]) AND ch."deletedAt" IS NULL
      AND i."deletedAt" IS NULL AND i."memberId" IS NOT NULL`;

/** 409: a member cannot see the board of a card. */
export const memberWithoutAccess = (path: string[]) =>
  conflict(
    "member_without_access",
    "The member cannot see this board. Add them to the board first.",
    path,
  );

/** SQL: whether the member `m` with the role `r` can see the board `b`. */
export const seesBoard = isVisibleTo(sql`m.id`, manages);

/** 409 when one of the members cannot see the board of the card. */
export async function checkMembersSee(
  query: Query,
  boardId: bigint,
  memberIds: bigint[],
  path: string[] = [],
): Promise<void> {
  const ids = sql`SELECT unnest(${memberIds}::bigint[])`;
  const blind = await query(sql`${membersWithoutAccess(boardId, ids)} LIMIT 1`);
  if (blind.length > 0) throw memberWithoutAccess(path);
}

/** 409 when an assignee of some cards, or of their checklist items, cannot see a board. */
export async function checkAssigneesSee(
  query: Query,
  boardId: bigint,
  cardIds: bigint[],
): Promise<void> {
  const blind = await query(sql`${membersWithoutAccess(boardId, assigneesOf(cardIds))} LIMIT 1`);
  if (blind.length > 0) {
    throw conflict(
      "member_without_access",
      "An assigned member cannot see the board. Unassign the member, or add them to the board.",
    );
  }
}

/** Unassigns members from the cards of a board that they cannot see, and from checklist items. */
export async function unassignWithoutAccess(query: Query, boardId: bigint): Promise<void> {
  const cards = sql`SELECT id FROM cards WHERE "boardId" = ${boardId}`;
  const blind = (ids: Sql) => membersWithoutAccess(boardId, ids);
  await query(sql`DELETE FROM card_members WHERE "cardId" IN (${cards})
    AND "memberId" IN (${blind(sql`SELECT "memberId" FROM card_members
      WHERE "cardId" IN (${cards})`)})`);
  const items = sql`"checklistId" IN (SELECT id FROM checklists WHERE "cardId" IN (${cards}))`;
  await query(sql`UPDATE checklist_items SET "memberId" = NULL WHERE ${items}
    AND "memberId" IN (${blind(sql`SELECT "memberId" FROM checklist_items WHERE ${items}`)})`);
}
