import { membersWithoutAccess } from "../../kernel/access/assignees.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { cardParts } from "../parts/card.ts";
import { keepParts } from "../parts/kept.ts";

const assigned = Object.values(cardParts).flatMap((part) => part.assigned ?? []);

/** 409 when a member who is named on some cards cannot see a board. */
export async function checkAssigneesSee(
  query: Query,
  boardId: bigint,
  cardIds: bigint[],
): Promise<void> {
  const cards = sql`SELECT unnest(${cardIds}::bigint[])`;
  const memberIds = assigned.map(
    ({ table, isOn }) => sql`SELECT "memberId" FROM ${sql.identifier(table)}
      WHERE ${isOn(cards)} AND "memberId" IS NOT NULL`,
  );
  await checkSees(query, boardId, sql.join(memberIds, sql` UNION `));
}

/** 409 when a member who is named on a checklist cannot see a board. */
export const checkAssigneesOfChecklist = (query: Query, boardId: bigint, checklistId: bigint) =>
  checkSees(
    query,
    boardId,
    sql`SELECT "memberId" FROM checklist_items
      WHERE "checklistId" = ${checklistId} AND "deletedAt" IS NULL AND "memberId" IS NOT NULL`,
  );

async function checkSees(query: Query, boardId: bigint, memberIds: Sql): Promise<void> {
  const blind = await query(sql`${membersWithoutAccess(boardId, memberIds)} LIMIT 1`);
  if (blind.length > 0) {
    throw conflict(
      "member_without_access",
      "An assigned member cannot see the board. Unassign the member, or add them to the board.",
    );
  }
}

/** Unassigns members from what is on the cards of a board that they cannot see. */
export async function unassignWithoutAccess(query: Query, boardId: bigint): Promise<void> {
  const cards = sql`SELECT id FROM cards WHERE "boardId" = ${boardId}`;
  for (const { table, isOn, unassign } of assigned) {
    const memberIds = sql`SELECT "memberId" FROM ${sql.identifier(table)} WHERE ${isOn(cards)}`;
    const blind = membersWithoutAccess(boardId, memberIds);
    await query(unassign(sql`${isOn(cards)} AND "memberId" IN (${blind})`));
  }
  void keepParts(query, sql`c."boardId" = ${boardId}`);
}

/** SQL: the ids of the cards that name members `m`, on them or as those who have claimed them. */
export function cardsNaming(isMember: Sql): Sql {
  const members = sql`SELECT m.id FROM members m WHERE ${isMember}`;
  const named = assigned.map(
    ({ table, cardId }) => sql`SELECT ${cardId} FROM ${sql.identifier(table)}
      WHERE "memberId" IN (${members})`,
  );
  const claimed = sql`SELECT id FROM cards WHERE "claimedById" IN (${members})`;
  return sql.join([...named, claimed], sql` UNION `);
}

/** Ends all that names a member on cards, which are locked, and what the user of the member watches. */
export async function unassignMember(
  query: Query,
  { id, userId, workspaceId }: { id: bigint; userId: bigint | null; workspaceId: bigint },
): Promise<void> {
  const naming = await query<{ cardId: bigint }>(
    sql`SELECT * FROM (${cardsNaming(sql`m.id = ${id}`)}) AS naming("cardId")`,
  );
  for (const { unassign } of assigned) await query(unassign(sql`"memberId" = ${id}`));
  const cardIds = naming.map(({ cardId }) => cardId);
  void keepParts(query, sql`c.id = ANY(${cardIds}::bigint[])`);
  await query(sql`UPDATE cards SET "claimedById" = NULL, "claimExpiresAt" = NULL
    WHERE "claimedById" = ${id}`);
  await query(sql`DELETE FROM card_watchers cw USING cards c
    WHERE c.id = cw."cardId" AND c."workspaceId" = ${workspaceId} AND cw."userId" = ${userId}`);
}
