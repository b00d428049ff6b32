import type { Gap, Placement } from "../../kernel/gaps.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

/** A live card of a list, with what the order of the list needs. */
type Entry = { id: bigint; publicId: string; position: string; isVisible: boolean };

/** The most live cards of the lists together that are read for a batch. */
const mostCards = 2_000;

const cardsIn = (listIds: bigint[]) => sql`SELECT c.id, c."publicId", c."listId", c.position,
    c."archivedAt" IS NULL AS "isVisible"
  FROM cards c WHERE c."listId" = ANY(${listIds}::bigint[]) AND c."deletedAt" IS NULL
  ORDER BY c.position LIMIT ${sql.number(mostCards + 1)}`;

/** The live cards of locked lists in their order, as the statements of moves would read them. */
export class ListOrders {
  readonly #lists = new Map<bigint, Entry[]>();

  /** Reads the orders of lists; undefined when they have too many cards. */
  static async read(query: Query, listIds: bigint[]): Promise<ListOrders | undefined> {
    const rows = await query<Entry & { listId: bigint }>(cardsIn(listIds));
    if (rows.length > mostCards) return undefined;
    const orders = new ListOrders();
    for (const id of listIds) orders.#lists.set(id, []);
    for (const { listId, ...entry } of rows) orders.#lists.get(listId)?.push(entry);
    return orders;
  }

  /** How many visible cards come before a card of a list. */
  countBefore(listId: bigint, cardId: bigint): number {
    const live = this.#live(listId);
    const at = live.findIndex(({ id }) => id === cardId);
    return live.slice(0, at).filter(({ isVisible }) => isVisible).length;
  }

  /** The gap of a placement, as `gapFor` reads it; undefined without the neighbour. */
  gapFor(listId: bigint, placement: Placement, moving: bigint): Gap | undefined {
    const live = this.#live(listId).filter(({ id }) => id !== moving);
    const visible = live.filter(({ isVisible }) => isVisible);
    if ("before" in placement || "after" in placement) return gapBeside(live, placement);
    const { index } = placement;
    if (index === 0) {
      const [next, nextVisible] = [positionOf(live[0]), positionOf(visible[0])];
      return { previous: null, next, previousVisible: null, nextVisible, index: 0n };
    }
    const at = index === undefined ? undefined : visible[index - 1];
    if (index === undefined || at === undefined) {
      const [previous, previousVisible] = [positionOf(live.at(-1)), positionOf(visible.at(-1))];
      return {
        previous,
        next: null,
        previousVisible,
        nextVisible: null,
        index: BigInt(visible.length),
      };
    }
    const next = positionOf(live[live.indexOf(at) + 1]);
    const nextVisible = positionOf(visible[index]);
    return {
      previous: at.position,
      next,
      previousVisible: at.position,
      nextVisible,
      index: BigInt(index),
    };
  }

  /** Notes what a write has made of a card. */
  note(before: Card, after: Card): void {
    const from = this.#lists.get(before.listId);
    const at = from?.findIndex(({ id }) => id === before.id) ?? -1;
    if (at >= 0) from?.splice(at, 1);
    const { id, publicId, position } = after;
    const to = this.#lists.get(after.listId);
    const next = to?.findIndex((other) => other.position > position) ?? -1;
    const entry = { id, publicId, position, isVisible: after.archivedAt === null };
    to?.splice(next < 0 ? to.length : next, 0, entry);
  }

  #live(listId: bigint): Entry[] {
    const entries = this.#lists.get(listId);
    if (entries === undefined) throw new Error("The order of the list was not read.");
    return entries;
  }
}

const positionOf = (entry: Entry | undefined) => entry?.position ?? null;

function gapBeside(live: Entry[], placement: { before: string } | { after: string }) {
  const isBefore = "before" in placement;
  const anchor = isBefore ? placement.before : placement.after;
  const at = live.findIndex(({ publicId }) => publicId === anchor);
  if (at < 0) return undefined;
  const split = isBefore ? at : at + 1;
  const [previous, next] = [positionOf(live[split - 1]), positionOf(live[split])];
  const index = live.slice(0, split).filter(({ isVisible }) => isVisible).length;
  return { previous, next, previousVisible: previous, nextVisible: next, index: BigInt(index) };
}
