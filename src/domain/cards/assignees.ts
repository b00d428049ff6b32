import { membersWithoutAccess } from "../../kernel/access/assignees.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { cardParts } from "../parts/card.ts";

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
  const ids = sql.join(memberIds, sql` UNION `);
  const blind = await query(sql`${membersWithoutAccess(boardId, ids)} LIMIT 1`);
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
}
