import { authorize } from "../../kernel/access/authorize.ts";
import type { Operation } from "../../contract/policy.ts";
import type { Card, List } from "../../platform/db/rows.ts";
import { checkPrecondition, type UnitOfWork } from "../../kernel/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import type { Context } from "../../kernel/context.ts";

const lockCards = `SELECT * FROM cards
  WHERE "listId" = $1 AND "deletedAt" IS NULL AND "archivedAt" IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

/**
 * Locks the cards of a list that are not archived, then the list and `otherLists`, and authorizes
 * the call again under the locks. Answers the cards in order.
 */
export async function lockListWithCards(
  ctx: Context & { list: List },
  tx: UnitOfWork,
  name: Operation,
  otherLists: bigint[] = [],
): Promise<Card[]> {
  const { list } = ctx;
  await tx.query<Card>(lockCards, [list.id]);
  const ids = new Set([list.id, ...otherLists]);
  const live = await tx.lock("lists", [...ids]);
  if (live.length < ids.size) throw notFound("list");
  const input = { listPublicId: list.publicId };
  const { resources } = await authorize(tx.query, ctx, { name, input, writes: true, lock: true });
  checkPrecondition(ctx.ifMatch, resources["list"]?.["version"]);
  // Locks the cards that were added before the list was locked.
  const cards = await tx.query<Card>(lockCards, [list.id]);
  return cards.toSorted((one, other) => (one.position < other.position ? -1 : 1));
}

const statement = `UPDATE cards
  SET position = moved.position, "listId" = $3, "boardId" = $4, version = version + 1,
    "updatedAt" = $5::timestamptz
  FROM unnest($1::bigint[], $2::text[]) AS moved(id, position) WHERE cards.id = moved.id`;

/** Moves cards to new positions of a list, in one statement. */
export async function setPositions(
  tx: UnitOfWork,
  cards: Card[],
  positions: string[],
  list: { id: bigint; boardId: bigint },
): Promise<void> {
  const ids = cards.map(({ id }) => id);
  await tx.query(statement, [ids, positions, list.id, list.boardId, tx.now]);
}
