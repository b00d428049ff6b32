import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { lockCards, lockedCards } from "../cards/lock-cards.ts";
import { lastPosition } from "../../kernel/positions.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The columns of a card that its list is sorted by. All columns of all cards may be gigabytes. */
export type ListCard = Pick<Card, "id" | "publicId" | "title" | "dueDate" | "createdAt">;

const columns = sql`id, "publicId", title, position, "dueDate", "createdAt"`;
const isOfList = (id: bigint) =>
  sql`"listId" = ${id} AND "deletedAt" IS NULL AND "archivedAt" IS NULL`;

/** Reads the locked cards of a condition in their order. */
const readLocked = (tx: UnitOfWork, isCard: Sql, nowait: boolean): Promise<ListCard[]> =>
  tx.query<ListCard>(sql`WITH locked AS MATERIALIZED (${lockedCards(isCard, { columns, nowait })})
    SELECT * FROM locked ORDER BY position`);

/** A card of a list, which may be archived or in the trash. */
export type AnyCard = Pick<Card, "id" | "publicId" | "archivedAt" | "deletedAt">;

/** Reads all cards of a locked list, archived and deleted ones too, all locked, in their order. */
export const readAllCardsOf = (tx: UnitOfWork, listId: bigint): Promise<AnyCard[]> =>
  tx.query<AnyCard>(
    sql`WITH locked AS MATERIALIZED (${lockedCards(sql`"listId" = ${listId}`, {
      columns: sql`id, "publicId", "archivedAt", "deletedAt", position`,
      nowait: true,
    })}) SELECT * FROM locked ORDER BY position, id`,
  );

/** Locks the unarchived cards of a list, then the list and another one. */
export async function lockCardsAndLists(
  tx: UnitOfWork,
  listId: bigint,
  otherId: bigint,
): Promise<void> {
  await tx.allowLongStatements();
  await lockCards(tx.query, isOfList(listId));
  if ((await tx.lock("lists", [listId, otherId])).length < 2) throw notFound("list");
}

/**
 * Reads the unarchived cards of a locked list, all locked, in their order.
 *
 * Cards that arrived before the list was locked are locked here too. Cards come before lists in the
 * order of locks: the statement does not wait for one, and the transaction runs again.
 */
export const readCardsOf = (tx: UnitOfWork, listId: bigint): Promise<ListCard[]> =>
  readLocked(tx, isOfList(listId), true);

/** Locks the unarchived cards of a list, and reads them in their order. */
export async function lockCardsOf(tx: UnitOfWork, listId: bigint): Promise<ListCard[]> {
  await tx.allowLongStatements();
  return readLocked(tx, isOfList(listId), false);
}

/** Reads the cards that arrived in a list, which is locked now, since others were locked. */
export function readArrived(
  tx: UnitOfWork,
  listId: bigint,
  cards: ListCard[],
): Promise<ListCard[]> {
  const isNew = sql`${isOfList(listId)} AND NOT EXISTS (
    SELECT FROM unnest(${cards.map(({ id }) => id)}::bigint[]) AS old WHERE old = cards.id)`;
  return readLocked(tx, isNew, true);
}

/** SQL: numbers cards in their order, behind the last position of a list. */
const numbered = (cards: ListCard[], listId: bigint, room = 0) => sql`(
    SELECT new.id, last.position + new.nth AS position
    FROM (SELECT ${lastPosition("card", listId)} + ${room}::int AS position OFFSET 0) last,
      unnest(${cards.map(({ id }) => id)}::bigint[]) WITH ORDINALITY AS new(id, nth)) numbered`;

/** The positions that are left to cards that others add while an order is written. */
const roomForOthers = 1_000_000;

/** Puts the cards of a list in an order, in one statement: no card changes. */
export async function setOrder(tx: UnitOfWork, cards: ListCard[], listId: bigint): Promise<void> {
  await tx.query(sql`UPDATE cards SET position = numbered.position
    FROM ${numbered(cards, listId, roomForOthers)} WHERE cards.id = numbered.id`);
}

/** Puts the cards that arrived between those that `setOrder` has numbered, as parts of a whole. */
export async function placeArrived(
  tx: UnitOfWork,
  order: ListCard[],
  arrived: ReadonlySet<ListCard>,
): Promise<void> {
  const first = order.find((card) => !arrived.has(card));
  if (first === undefined) return;
  const parts = 10 ** String(arrived.size).length;
  const places: { id: bigint; neighbour: bigint; part: number }[] = [];
  let previous: ListCard | undefined;
  let nth = 0;
  for (const card of order) {
    nth = arrived.has(card) ? nth + 1 : 0;
    if (nth === 0) previous = card;
    else if (previous !== undefined)
      places.push({ id: card.id, neighbour: previous.id, part: nth });
    else places.push({ id: card.id, neighbour: first.id, part: nth - parts });
  }
  await tx.query(sql`UPDATE cards SET position = neighbour.position + new.part * ${1 / parts}::numeric
    FROM unnest(${places.map(({ id }) => id)}::bigint[],
      ${places.map(({ neighbour }) => neighbour)}::bigint[],
      ${places.map(({ part }) => part)}::int[]) AS new(id, neighbour, part)
    JOIN cards neighbour ON neighbour.id = new.neighbour WHERE cards.id = new.id`);
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
