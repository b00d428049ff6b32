import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import type { Board } from "../../contract/resources/boards.ts";
import type { List as ListRow } from "../../platform/db/rows.ts";
import { attach, entryOf, type CardEntryRow } from "../cards/assemble.ts";
import type { SummaryRow } from "../parts/part.ts";
import { showList } from "../presenters/lists.ts";
import { bytesPerCard, maxCardBytes } from "./contents-sql.ts";

type List = z.infer<typeof Board>["lists"][number];
type Card = List["cards"][number];

/** A list as boards show it. */
export type BoardListRow = ListRow & { cardsOverLimit: number };

/** A list with its id. */
export const readList = (row: BoardListRow): [bigint, List] => [
  row.id,
  { ...showList(row), cardCount: 0, cardsOverLimit: row.cardsOverLimit, cards: [] },
];

/** A card as boards read it: with what of its list comes before it. */
export type BoardCardRow = CardEntryRow & { listId: bigint; liveCount: number; total?: number };

/** How many of the first cards fit into an answer by their bytes. */
export function countFitting(rows: readonly BoardCardRow[]): number {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += bytesPerCard + Buffer.byteLength(row.title);
    return bytes > maxCardBytes;
  });
  return end < 0 ? rows.length : end;
}

/** How many rows are read before other requests are served. */
const sliceSize = 1_000;

/** Reads rows in slices; other requests are served between them. */
async function eachInSlices<Row>(rows: readonly Row[], readRow: (row: Row, nth: number) => void) {
  for (const [nth, row] of rows.entries()) {
    if (nth % sliceSize === sliceSize - 1) await setImmediate();
    readRow(row, nth);
  }
}

/** How a selection's cards are added to their lists. */
type AddOptions = {
  prefix: string;
  /** Whether the rows are those of `matchingCards`. */
  isMatching: boolean;
  /** Whether a row fits into the answer. */
  fits: (row: BoardCardRow, nth: number) => boolean;
};

/** Adds cards to their lists, and returns them by their ids. */
export async function addCards(
  lists: ReadonlyMap<bigint, List>,
  rows: readonly BoardCardRow[],
  { prefix, isMatching, fits }: AddOptions,
): Promise<Map<bigint, Card>> {
  const cards = new Map<bigint, Card>();
  const live = new Map<bigint, number>();
  await eachInSlices(rows, (row, nth) => {
    const list = lists.get(row.listId);
    if (list === undefined) return;
    const count = row.liveCount + (isMatching ? (live.get(row.listId) ?? 0) : 0);
    live.set(row.listId, count);
    if (!fits(row, nth)) return;
    const card = entryOf(row, prefix, row.archivedAt === null ? count - 1 : null);
    list.cards.push(card);
    cards.set(row.id, card);
  });
  return cards;
}

/** Sets how many cards of each list pass: from their counts, or else from the rows of cards. */
export function setCounts(
  lists: ReadonlyMap<bigint, List>,
  cardRows: readonly BoardCardRow[],
  counts: { id: bigint; count: number }[] | undefined,
): void {
  for (const { id, count } of counts ?? []) {
    const list = lists.get(id);
    if (list !== undefined) list.cardCount = count;
  }
  for (const { listId, total } of counts === undefined ? cardRows : []) {
    const list = lists.get(listId);
    if (list !== undefined) list.cardCount = total ?? list.cardCount + 1;
  }
}

/** Adds labels, members and other parts to their cards. */
export async function addSummaries(
  cards: ReadonlyMap<bigint, Card>,
  rows: readonly SummaryRow[],
): Promise<void> {
  await eachInSlices(rows, (row) => attach(cards.get(row.cardId), row));
  // The answer is serialized in the next iteration.
  if (cards.size > sliceSize) await setImmediate();
}
