import type { Card, List } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { lockCards, lockedCards } from "../cards/lock-cards.ts";
import type { LockTarget } from "../../kernel/procedures/manual-mutation.ts";
import { sql } from "../../platform/db/sql.ts";
import { sortInSlices } from "../../platform/sort-in-slices.ts";

/** The columns of a card that its list is sorted by. All columns of all cards may be gigabytes. */
export type ListCard = Pick<
  Card,
  "id" | "publicId" | "title" | "position" | "dueDate" | "createdAt"
>;

const columns = sql`id, "publicId", title, position, "dueDate", "createdAt"`;
const isOfList = (id: bigint) =>
  sql`"listId" = ${id} AND "deletedAt" IS NULL AND "archivedAt" IS NULL`;

/** Locks the unarchived cards of a list, then lists, and authorizes the call again. */
export async function lockListWithCards(
  ctx: { list: List; lockTarget: LockTarget },
  tx: UnitOfWork,
  otherLists: bigint[] = [],
): Promise<ListCard[]> {
  const { list } = ctx;
  await tx.allowLongStatements();
  await lockCards(tx.query, isOfList(list.id));
  const ids = new Set([list.id, ...otherLists]);
  const live = await tx.lock("lists", [...ids]);
  if (live.length < ids.size) throw notFound("list");
  await ctx.lockTarget(tx);
  // Cards that arrived before the list was locked are locked here too. Cards come before lists in
  // the order of locks: the statement does not wait for one, and the transaction runs again.
  const cards = await tx.query<ListCard>(lockedCards(isOfList(list.id), { columns, nowait: true }));
  return sortInSlices(cards, (one, other) => (one.position < other.position ? -1 : 1));
}

const sort = (ids: bigint[], positions: string[]) => sql`UPDATE cards SET position = sorted.position
  FROM unnest(${ids}::bigint[], ${positions}::text[]) AS sorted(id, position)
  WHERE cards.id = sorted.id`;

/** Sets the positions of the cards of a list: the order is the list's, no card changes. */
export async function setPositions(
  tx: UnitOfWork,
  cards: ListCard[],
  positions: string[],
): Promise<void> {
  await tx.query(
    sort(
      cards.map(({ id }) => id),
      positions,
    ),
  );
}

/** Moves cards to positions of another list, in one statement. */
export async function moveToList(
  tx: UnitOfWork,
  cards: ListCard[],
  positions: string[],
  list: { id: bigint; boardId: bigint },
): Promise<void> {
  const ids = cards.map(({ id }) => id);
  await tx.query(sql`UPDATE cards
    SET position = moved.position, "listId" = ${list.id}, "boardId" = ${list.boardId},
      version = version + 1, "updatedAt" = ${tx.now}::timestamptz
    FROM unnest(${ids}::bigint[], ${positions}::text[]) AS moved(id, position)
    WHERE cards.id = moved.id`);
}
