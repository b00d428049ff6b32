import { authorize } from "../../kernel/access/authorize.ts";
import type { Operation } from "../../contract/policy.ts";
import type { Card, List } from "../../platform/db/rows.ts";
import { checkPrecondition, type UnitOfWork } from "../../kernel/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import type { Context } from "../../kernel/context.ts";
import { sql } from "../../platform/db/sql.ts";

const lockCards = (id: bigint) =>
  sql`SELECT * FROM cards WHERE "listId" = ${id} AND "deletedAt" IS NULL AND "archivedAt" IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

/** Locks all cards of a list that are not archived, then the list and the others that are named, and permits the call again now that nothing moves. Cards come in their order. */
export async function lockListWithCards(
  ctx: Context & { list: List },
  tx: UnitOfWork,
  name: Operation,
  others: bigint[] = [],
): Promise<Card[]> {
  const { list } = ctx;
  await tx.query<Card>(lockCards(list.id));
  const wanted = new Set([list.id, ...others]);
  const live = await tx.lock("lists", [...wanted]);
  if (live.length < wanted.size) throw notFound("list");
  const input = { listPublicId: list.publicId };
  const { resources } = await authorize(tx.query, ctx, { name, input, writes: true, lock: true });
  checkPrecondition(ctx.ifMatch, resources["list"]?.["version"]);
  // Whoever came in before the list was locked is locked here too.
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
