import type { Card, List } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import type { LockTarget } from "../../kernel/procedures/manual-mutation.ts";
import { sql } from "../../platform/db/sql.ts";

const lockCards = (id: bigint) =>
  sql`SELECT * FROM cards WHERE "listId" = ${id} AND "deletedAt" IS NULL AND "archivedAt" IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

/** Locks the unarchived cards of a list, then the list and others, and authorizes the call again. */
export async function lockListWithCards(
  ctx: { list: List; lockTarget: LockTarget },
  tx: UnitOfWork,
  others: bigint[] = [],
): Promise<Card[]> {
  const { list } = ctx;
  await tx.query<Card>(lockCards(list.id));
  const wanted = new Set([list.id, ...others]);
  const live = await tx.lock("lists", [...wanted]);
  if (live.length < wanted.size) throw notFound("list");
  await ctx.lockTarget(tx);
  // Cards that arrived before the list was locked are locked here too.
  const cards = await tx.query<Card>(lockCards(list.id));
  return cards.toSorted((one, other) => (one.position < other.position ? -1 : 1));
}

const place = (ids: bigint[], keys: string[], id: bigint, boardId: bigint, now: Date) =>
  sql`UPDATE cards SET position = keys.position, "listId" = ${id}, "boardId" = ${boardId},
    version = version + 1, "updatedAt" = ${now}::timestamptz
  FROM unnest(${ids}::bigint[], ${keys}::text[]) AS keys(id, position) WHERE cards.id = keys.id`;

/** Puts cards, in this order, on new keys of a list. One statement, whatever their number. */
export async function placeCards(
  tx: UnitOfWork,
  cards: Card[],
  keys: string[],
  to: { id: bigint; boardId: bigint },
): Promise<void> {
  await tx.query(
    place(
      cards.map(({ id }) => id),
      keys,
      to.id,
      to.boardId,
      tx.now,
    ),
  );
}
