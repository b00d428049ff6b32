import { generateKeyBetween } from "fractional-indexing";
import { lockListsOf, type AccessibleList } from "../../kernel/access/accessible-list.ts";
import { maxPositionLength } from "../../kernel/positions.ts";
import type { PrefetchReads, PrefetchedReads } from "../../kernel/access/prefetched-reads.ts";
import type { Card } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { placementOf } from "../positions/placement.ts";
import type { Relation } from "./assemble.ts";
import { ListOrders } from "./list-orders.ts";
import type { MoveTarget } from "./move.ts";
import { maxRelations, relations } from "./relations-sql.ts";
import { isWatchedSql, type EventFields } from "./event-fields.ts";

/** What a change of a card reads behind the lock of the card. */
export type EarlyReads = {
  target: MoveTarget | null;
  eventFields: EventFields;
  /** Notes the change for later calls of the batch. */
  changed?: (before: Card, after: Card) => void;
};

type Row = {
  id: bigint;
  publicId: string;
  listId: bigint;
  workspaceId: bigint;
  isWatched: boolean;
};
type List = { id: bigint; publicId: string; workspaceId: bigint };

const cardsWith = (ids: string[]) => sql`SELECT c.id, c."publicId", c."listId", c."workspaceId",
    ${isWatchedSql} AS "isWatched"
  FROM cards c WHERE c."publicId" = ANY(${ids}::text[])`;
const listsOf = (ids: bigint[], publicIds: string[]) => sql`SELECT l.id, l."publicId",
    l."workspaceId" FROM lists l
  WHERE l.id = ANY(${ids}::bigint[]) OR l."publicId" = ANY(${publicIds}::text[])`;

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/**
 * Reads what changes of many cards need, in as many statements as one change needs.
 *
 * The batch has locked the cards and their lists. Each change is noted, so that the next one finds
 * what its own statements would read.
 */
export const prefetchChanges: PrefetchReads<EarlyReads> = async (query, inputs) => {
  const ids = inputs.map(({ cardPublicId }) => String(cardPublicId));
  const named = inputs.map(({ listPublicId }) => textOf(listPublicId));
  const [cards, related] = await Promise.all([
    query<Row>(cardsWith(ids)),
    query<Relation>(relations(sql`c."publicId" = ANY(${ids}::text[])`)),
  ]);
  const lists = await query<List>(listsOf([...new Set(cards.map((one) => one.listId))], named));
  const locked = await Promise.all(
    lists.map(({ id, workspaceId }) =>
      lockListsOf(query, [sql`${id}::bigint`], sql`${workspaceId}::bigint`),
    ),
  );
  const orders = await ListOrders.read(
    query,
    lists.map(({ id }) => id),
  );
  if (orders === undefined || related.length >= maxRelations) return undefined;
  return new ReadCards(orders, { cards, lists, locked: locked.flat(), related });
};

type Found = {
  cards: Row[];
  lists: List[];
  locked: AccessibleList[];
  related: Relation[];
};

/** Reads of cards, from what was read before. */
class ReadCards implements PrefetchedReads<EarlyReads> {
  readonly #orders: ListOrders;
  readonly #cards: Map<string, Row>;
  readonly #lists: Map<string, List>;
  readonly #names: Map<bigint, string>;
  readonly #locked: Map<bigint, AccessibleList>;
  readonly #related = new Map<bigint, Relation[]>();
  isCurrent = true;

  constructor(orders: ListOrders, { cards, lists, locked, related }: Found) {
    this.#orders = orders;
    this.#cards = new Map(cards.map((card) => [card.publicId, card]));
    this.#lists = new Map(lists.map((list) => [list.publicId, list]));
    this.#locked = new Map(locked.map((list) => [list.id, list]));
    this.#names = new Map(lists.map(({ id, publicId }) => [id, publicId]));
    for (const relation of related) {
      const others = this.#related.get(relation.cardId) ?? [];
      others.push(relation);
      this.#related.set(relation.cardId, others);
    }
  }

  read(input: Record<string, unknown>): EarlyReads | undefined {
    const card = this.#cards.get(String(input["cardPublicId"]));
    if (card === undefined) return undefined;
    const target = this.#targetOf(card, input);
    const listPublicId = this.#names.get(card.listId);
    if (target === undefined || listPublicId === undefined) return undefined;
    const before = this.#orders.countBefore(card.listId, card.id);
    const related = this.#related.get(card.id) ?? [];
    const eventFields = { related, listPublicId, before, isWatched: card.isWatched };
    return { target, eventFields, changed: (one, after) => this.#orders.note(one, after) };
  }

  /** The target of a move; null without a move, undefined where statements have to find it. */
  #targetOf(card: Row, input: Record<string, unknown>): MoveTarget | null | undefined {
    const placement = placementOf(input);
    const { listPublicId = this.#names.get(card.listId) } = input;
    if (placement === undefined && input["listPublicId"] === undefined) return null;
    const list = this.#lists.get(String(listPublicId));
    if (list === undefined || list.workspaceId !== card.workspaceId) return undefined;
    const gap = this.#orders.gapFor(list.id, placement ?? {}, card.id);
    if (gap === undefined) return undefined;
    // The move may give all cards of the list new positions.
    if (generateKeyBetween(gap.previous, gap.next).length > maxPositionLength)
      this.isCurrent = false;
    return { list: this.#locked.get(list.id), gap: Promise.resolve(gap) };
  }
}
