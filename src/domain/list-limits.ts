import { z } from "zod";
import type { PendingEvent } from "../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../kernel/events/unit-of-work.ts";
import { Failure, type Issue } from "../platform/errors.ts";
import { sql, type Sql } from "../platform/db/sql.ts";

/** SQL: the number of cards of the list `l` that are not archived. */
const count = sql`(SELECT count(*)::int FROM cards counted WHERE counted."listId" = l.id
  AND counted."deletedAt" IS NULL AND counted."archivedAt" IS NULL)`;

/** SQL: by how many cards the list `l` exceeds its limit; without a limit nothing is counted. */
export const cardsOverLimit = sql`CASE WHEN l."wipLimit" IS NULL OR l."wipMode" = 'off' THEN 0
  ELSE greatest(${count} - l."wipLimit", 0) END`;

/** SQL: the most cards that the list `l` may have; null where it does not block. */
export const blockingLimit = sql`CASE WHEN l."wipMode" = 'block' THEN l."wipLimit" END`;

/** A list that blocks and has more cards than its limit. */
export type ExceededList = { publicId: string; name: string; limit: number; count: number };

/** SQL: the lists `l` that block and have more cards than their limits. */
export const exceededLists = (isList: Sql): Sql => sql`SELECT * FROM (
    SELECT l."publicId", l.name, ${blockingLimit} AS "limit", ${count} AS count FROM lists l
    WHERE ${isList} AND l."deletedAt" IS NULL AND ${blockingLimit} IS NOT NULL ORDER BY l.id) l
  WHERE count > "limit"`;

type Tx = Pick<UnitOfWork, "query" | "lock" | "mayExceedListLimits">;

/** Throws 409 when one of the lists `l`, which are locked, blocks and exceeds its limit. */
export async function checkListLimits(
  { query, mayExceedListLimits }: Omit<Tx, "lock">,
  isList: Sql,
): Promise<void> {
  if (mayExceedListLimits) return;
  const exceeded = await query<ExceededList>(exceededLists(isList));
  if (exceeded.length > 0) throw new Failure("CONFLICT", exceeded.map(issueOfExceeded));
}

const issueOfExceeded = ({ limit, count: cards }: ExceededList): Issue => ({
  code: "wip_limit",
  message:
    `The list would have ${cards} cards, and its limit is ${limit}. Move cards out of it first, ` +
    "or set `override`, which requires list:edit.",
  data: { limit, count: cards },
});

const Named = z.object({ publicId: z.string() });
const Position = z.object({ listPublicId: z.string() });
/** A card that has entered a list. */
const CardEntry = z
  .object({ card: Named, to: Position, from: Position.optional() })
  .refine(({ from, to }) => from?.listPublicId !== to.listPublicId);
/** A list that blocks, and appears with its cards. */
const ListEntry = z.object({
  list: Named.extend({ wipMode: z.literal("block"), wipLimit: z.int() }),
  cards: z.array(z.unknown()),
});

/** A card after the writes of a transaction, on a list that blocks. */
type LimitedCard = { publicId: string; isArchived: boolean; listId: bigint | undefined };

/**
 * Throws 409 when cards have entered a list that blocks beyond its limit.
 *
 * Every event is checked before it is written, so no way into a list is missed. The cards are
 * counted after they were written, with the list locked. Lists without a limit cost no statement.
 */
export async function checkEnteredLists(
  tx: Tx,
  events: readonly PendingEvent[],
  limited: readonly LimitedCard[] = [],
): Promise<void> {
  const lists = events.flatMap(({ data }) =>
    "cards" in data ? (ListEntry.safeParse(data).data?.list.publicId ?? []) : [],
  );
  if (lists.length > 0) await checkListLimits(tx, sql`l."publicId" = ANY(${lists}::text[])`);
  const listIds = events.flatMap(({ entered }) =>
    entered?.wipMode === "block" && entered.wipLimit !== null ? entered.id : [],
  );
  const entered = limited.length === 0 ? listIds : [...listIds, ...enteredBy(events, limited)];
  const [id, ...others] = new Set(entered);
  if (id === undefined) return;
  await tx.lock("lists", [id, ...others]);
  await checkListLimits(
    tx,
    others.length === 0 ? sql`l.id = ${id}` : sql`l.id = ANY(${[id, ...others]}::bigint[])`,
  );
}

/** The lists that block and that cards have entered. */
function enteredBy(events: readonly PendingEvent[], limited: readonly LimitedCard[]): bigint[] {
  const cards = new Map(limited.map((card) => [card.publicId, card]));
  return events.flatMap(({ data }) => {
    const entry = CardEntry.safeParse(data).data;
    const card = entry && cards.get(entry.card.publicId);
    return card === undefined || card.isArchived ? [] : (card.listId ?? []);
  });
}
