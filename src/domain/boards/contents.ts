import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import type { Board } from "../../contract/resources/boards.ts";
import type { List as ListRow } from "../../platform/db/rows.ts";
import { columnText, type Texts } from "../../platform/db/texts.ts";
import { noRelations } from "../cards/assemble.ts";
import { showTextsIn } from "../declared-fields.ts";
import { showList } from "../shown/lists.ts";
import { bytesPerCard, cardColumn, maxCardBytes } from "./contents-sql.ts";
import { cardParts } from "../parts/card.ts";
import type { Part } from "../parts/part.ts";
import { maxRelations, relationColumn } from "../cards/relations-sql.ts";

type List = z.infer<typeof Board>["lists"][number];
type Card = List["cards"][number];

/** A resource that a board shows once, and that its cards name by id. */
type View = { publicId: string };
type Views = Map<string, { view: View; rank: number; length: number }>;
/** The views of parts, by their names. */
export type PartViews = ReadonlyMap<string, Views>;

/** A list as boards show it. */
export type BoardListRow = ListRow & { cardsOverLimit: number };

/** A list with its id. */
export const readList = (row: BoardListRow): [string, List] => [
  String(row.id),
  { ...showList(row), cardCount: 0, cardsOverLimit: row.cardsOverLimit, cards: [] },
];

/** The views of a part by their ids, in order. */
export const readViews = (rows: (View & { id: bigint; rank: number; parent?: bigint })[]): Views =>
  new Map(
    rows.map(({ id, rank, parent: _parent, ...view }) => {
      const lengths = Object.values(view).map((text) =>
        typeof text === "string" ? text.length : 0,
      );
      return [String(id), { view, rank, length: lengths.reduce((sum, length) => sum + length, 0) }];
    }),
  );

/** How many of the first cards fit into an answer by their bytes. */
export function countFitting(rows: readonly Texts[]): number {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += bytesPerCard + Buffer.byteLength(columnText(row, cardColumn.title));
    return bytes > maxCardBytes;
  });
  return end < 0 ? rows.length : end;
}

/** How many rows are read before other requests are served. */
const sliceSize = 1_000;

/** Reads rows in slices; other requests are served between them. */
async function eachInSlices(rows: readonly Texts[], readRow: (row: Texts, nth: number) => void) {
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
  fits: (row: Texts, nth: number) => boolean;
};

/** Adds cards to their lists, and returns them by their ids. */
export async function addCards(
  lists: ReadonlyMap<string, List>,
  rows: readonly Texts[],
  { prefix, isMatching, fits }: AddOptions,
): Promise<Map<string, Card>> {
  const cards = new Map<string, Card>();
  const live = new Map<string, number>();
  await eachInSlices(rows, (row, nth) => {
    const listId = columnText(row, cardColumn.listId);
    const list = lists.get(listId);
    if (list === undefined) return;
    const count = Number(row[cardColumn.liveCount]) + (isMatching ? (live.get(listId) ?? 0) : 0);
    live.set(listId, count);
    if (!fits(row, nth)) return;
    const card = cardOf(row, prefix, count - 1);
    list.cards.push(card);
    cards.set(columnText(row, cardColumn.id), card);
  });
  return cards;
}

/** Sets how many cards of each list pass: from their counts, or else from the rows of cards. */
export function setCounts(
  lists: ReadonlyMap<string, List>,
  cardRows: readonly Texts[],
  counts: { id: bigint; count: number }[] | undefined,
  isMatching: boolean,
): void {
  for (const { id, count } of counts ?? []) {
    const list = lists.get(String(id));
    if (list !== undefined) list.cardCount = count;
  }
  for (const row of counts === undefined ? cardRows : []) {
    const list = lists.get(columnText(row, cardColumn.listId));
    if (list === undefined) continue;
    list.cardCount = isMatching ? Number(row[cardColumn.total]) : list.cardCount + 1;
  }
}

const show = showTextsIn(cardFields, "entry", cardColumn.fields);

function cardOf(row: Texts, prefix: string, index: number): Card {
  const fields = show(row, prefix);
  const claim = row[cardColumn.claim] ?? null;
  return {
    ...fields,
    hasDescription: row[cardColumn.hasDescription] === "t",
    index: fields.isArchived ? null : index,
    claim: claim === null ? null : JSON.parse(claim),
    ...noRelations(),
  };
}

const parts = new Map<string, Part>(Object.entries(cardParts));
const lists = Object.values(cardParts).flatMap(({ summary }) =>
  "field" in summary ? summary.field : [],
);

/** Adds labels, members and other relations to their cards. */
export async function addRelations(
  cards: ReadonlyMap<string, Card>,
  rows: readonly Texts[],
  views: PartViews,
): Promise<void> {
  const ranks = new Map<object, number>();
  for (const viewsOfKind of views.values())
    for (const { view, rank } of viewsOfKind.values()) ranks.set(view, rank);
  const byRank = (one: object, other: object) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0);
  await eachInSlices(rows, (row) => {
    const card = cards.get(columnText(row, relationColumn.cardId));
    const kind = columnText(row, relationColumn.kind);
    const summary = parts.get(kind)?.summary;
    if (card === undefined || summary === undefined) return;
    const { total, done, id, value } = relationColumn;
    if ("count" in summary) {
      Object.assign(card, summary.count(Number(row[total]), Number(row[done])));
      return;
    }
    const related = views.get(kind)?.get(columnText(row, id));
    if (related === undefined) return;
    if ("map" in summary) {
      const name = summary.nameOf(related.view);
      const publicId = related.view.publicId;
      summary.add(card[summary.map], { publicId, name, extra: row[value] ?? null });
    } else {
      const relations: object[] = card[summary.field];
      relations.push(related.view);
    }
  });
  for (const card of cards.values()) {
    for (const name of lists) if (card[name].length > 1) card[name].sort(byRank);
  }
  // The answer is serialized in the next iteration.
  if (cards.size > sliceSize) await setImmediate();
}

/** The bytes of a relation without its texts, of which one is an id. */
const bytesPerRelation = 88;

/** The id of the first card whose relations do not fit into an answer; null when all fit. */
export function endOfRelations(rows: readonly Texts[], views: PartViews): bigint | null {
  let bytes = 0;
  for (const row of rows) {
    const viewsOfKind = views.get(columnText(row, relationColumn.kind));
    bytes += bytesPerRelation + (viewsOfKind?.get(columnText(row, relationColumn.id))?.length ?? 0);
    bytes += row[relationColumn.value]?.length ?? 0;
    if (bytes > maxCardBytes) return BigInt(columnText(row, relationColumn.cardId));
  }
  const last = rows.at(-1);
  return last === undefined || rows.length < maxRelations
    ? null
    : BigInt(columnText(last, relationColumn.cardId));
}
