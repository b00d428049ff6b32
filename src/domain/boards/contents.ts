import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import type { Board } from "../../contract/resources/boards.ts";
import type { List as ListRow } from "../../platform/db/rows.ts";
import { columnText, type Texts } from "../../platform/db/texts.ts";
import { noRelations } from "../cards/assemble.ts";
import { showTextsIn } from "../fields.ts";
import { viewList } from "../views/lists.ts";
import { bytesPerCard, cardColumn, maxCardBytes } from "./contents-sql.ts";
import { relationColumn } from "./relations-sql.ts";
import { maxRelations } from "../cards/relations-sql.ts";

type List = z.infer<typeof Board>["lists"][number];
type Card = List["cards"][number];
type Label = Card["labels"][number];
type Member = Card["members"][number];

/** Views of rows by their ids, each with its rank. */
type Ranked<View> = Map<string, { view: View; rank: number }>;

/** A list with its id. */
export const readList = (row: ListRow): [string, List] => [
  String(row.id),
  { ...viewList(row), cardCount: 0, cards: [] },
];

/** The labels of a board by their ids, in order. */
export const readLabels = (rows: (Label & { id: bigint; rank: number })[]): Ranked<Label> =>
  new Map(rows.map(({ id, rank, ...view }) => [String(id), { view, rank }]));

/** The members of a board's cards by their ids. */
export const readMembers = (rows: (Member & { id: bigint })[]): Ranked<Member> =>
  new Map(rows.map(({ id, ...view }, rank) => [String(id), { view, rank }]));

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
async function eachInSlices(rows: readonly Texts[], read: (row: Texts, nth: number) => void) {
  for (const [nth, row] of rows.entries()) {
    if (nth % sliceSize === sliceSize - 1) await setImmediate();
    read(row, nth);
  }
}

/** How a selection's cards are added to their lists. */
type Adding = {
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
  { prefix, isMatching, fits }: Adding,
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

/** Adds labels, members and counts to cards. */
export async function addRelations(
  cards: ReadonlyMap<string, Card>,
  rows: readonly Texts[],
  labels: Ranked<Label>,
  members: Ranked<Member>,
): Promise<void> {
  const ranks = new Map<object, number>();
  for (const { view, rank } of [...labels.values(), ...members.values()]) ranks.set(view, rank);
  const byRank = (one: object, other: object) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0);
  await eachInSlices(rows, (row) => {
    const card = cards.get(columnText(row, relationColumn.cardId));
    if (card === undefined) return;
    const kind = row[relationColumn.kind];
    const total = Number(row[relationColumn.total]);
    if (kind === "items") {
      card.checklistItems = { total, completed: Number(row[relationColumn.done]) };
    } else if (kind === "comments") card.commentCount = total;
    else if (kind === "attachments") card.attachmentCount = total;
    else if (kind === "label") addTo(card.labels, labels.get(columnText(row, relationColumn.id)));
    else addTo(card.members, members.get(columnText(row, relationColumn.id)));
  });
  for (const { labels: some, members: others } of cards.values()) {
    if (some.length > 1) some.sort(byRank);
    if (others.length > 1) others.sort(byRank);
  }
  // The answer is serialized in the next iteration.
  if (cards.size > sliceSize) await setImmediate();
}

function addTo<View>(views: View[], found: { view: View } | undefined): void {
  if (found !== undefined) views.push(found.view);
}

const bytesPerRelation = 100;

/** The id of the first card whose relations do not fit into an answer; null when all fit. */
export function endOfRelations(
  rows: readonly Texts[],
  labels: Ranked<Label>,
  members: Ranked<Member>,
): bigint | null {
  let bytes = 0;
  for (const row of rows) {
    bytes += bytesPerRelation;
    const [kind, id] = [row[relationColumn.kind], columnText(row, relationColumn.id)];
    const label = kind === "label" ? labels.get(id)?.view : undefined;
    const member = kind === "member" ? members.get(id)?.view : undefined;
    bytes += (label?.name ?? member?.name ?? "").length;
    bytes += (label?.colourCode ?? member?.image ?? "").length;
    if (bytes > maxCardBytes) return BigInt(columnText(row, relationColumn.cardId));
  }
  const last = rows.at(-1);
  return last === undefined || rows.length < maxRelations
    ? null
    : BigInt(columnText(last, relationColumn.cardId));
}
