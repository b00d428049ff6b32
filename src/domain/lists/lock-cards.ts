import type { Card, List } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { lockCards, lockedCards } from "../cards/lock-cards.ts";
import { lastPosition } from "../../kernel/positions.ts";
import { sql } from "../../platform/db/sql.ts";

/** The columns of a card that its list is sorted by. All columns of all cards may be gigabytes. */
export type ListCard = Pick<Card, "id" | "publicId" | "title" | "dueDate" | "createdAt">;

const columns = sql`id, "publicId", title, position, "dueDate", "createdAt"`;
const isOfList = (id: bigint) =>
  sql`"listId" = ${id} AND "deletedAt" IS NULL AND "archivedAt" IS NULL`;

/** Locks the unarchived cards of a list, then lists, and authorizes the call again. */
export async function lockListWithCards(
  { list, lockTarget, tx }: { list: List; lockTarget: () => Promise<unknown>; tx: UnitOfWork },
  otherLists: bigint[] = [],
): Promise<ListCard[]> {
  await tx.allowLongStatements();
  await lockCards(tx.query, isOfList(list.id));
  const ids = new Set([list.id, ...otherLists]);
  const live = await tx.lock("lists", [...ids]);
  if (live.length < ids.size) throw notFound("list");
  await lockTarget();
  // Cards that arrived before the list was locked are locked here too. Cards come before lists in
  // the order of locks: the statement does not wait for one, and the transaction runs again.
  const locked = lockedCards(isOfList(list.id), { columns, nowait: true });
  return tx.query<ListCard>(sql`WITH locked AS MATERIALIZED (${locked})
    SELECT * FROM locked ORDER BY position`);
}

/** SQL: numbers cards in their order, behind the last position of a list. */
const numbered = (cards: ListCard[], listId: bigint) => sql`(SELECT new.id, last.position + new.nth
    AS position FROM (SELECT ${lastPosition("card", listId)} AS position OFFSET 0) last,
      unnest(${cards.map(({ id }) => id)}::bigint[]) WITH ORDINALITY AS new(id, nth)) numbered`;

/** Puts the cards of a list in an order, in one statement: no card changes. */
export async function setOrder(tx: UnitOfWork, cards: ListCard[], listId: bigint): Promise<void> {
  await tx.query(sql`UPDATE cards SET position = numbered.position
    FROM ${numbered(cards, listId)} WHERE cards.id = numbered.id`);
}

/** Moves cards to the end of another list, in their order and in one statement. */
export async function moveToList(
  tx: UnitOfWork,
  cards: ListCard[],
  list: { id: bigint; boardId: bigint },
): Promise<void> {
  await tx.query(sql`UPDATE cards
    SET position = numbered.position, "listId" = ${list.id}, "boardId" = ${list.boardId},
      version = version + 1, "updatedAt" = ${tx.now}::timestamptz
    FROM ${numbered(cards, list.id)} WHERE cards.id = numbered.id`);
}
