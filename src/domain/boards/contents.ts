import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { isoOfText, isTrue, columnText, timeOrNull, type Texts } from "../../platform/db/texts.ts";
import type { Board } from "../../contract/resources/boards.ts";
import { bytesPerCard, maxCardBytes } from "./contents-sql.ts";
import { maxRelations } from "../cards/relations-sql.ts";

type List = z.infer<typeof Board>["lists"][number];
type Card = List["cards"][number];
type Label = Card["labels"][number];
type Member = Card["members"][number];

/** Views of rows by their ids, each with its rank. */
type Ranked<View> = Map<string, { view: View; rank: number }>;

/** A list with its id. */
export const readList = (row: Texts): [string, List] => [
  columnText(row, 0),
  {
    publicId: columnText(row, 1),
    name: columnText(row, 2),
    wipLimit: row[3] === null ? null : Number(row[3]),
    isArchived: isTrue(row, 4),
    version: Number(row[5]),
    createdAt: isoOfText(columnText(row, 6)),
    updatedAt: isoOfText(columnText(row, 7)),
    cardCount: 0,
    cards: [],
  },
];

/** The labels of a board by their ids, in order. */
export const readLabels = (rows: readonly Texts[]): Ranked<Label> =>
  new Map(
    rows.map((row) => [
      columnText(row, 0),
      {
        view: {
          publicId: columnText(row, 1),
          name: columnText(row, 2),
          colourCode: row[3] ?? null,
        },
        rank: Number(row[4]),
      },
    ]),
  );

/** The members of a board's cards by their ids. */
export const readMembers = (rows: readonly Texts[]): Ranked<Member> =>
  new Map(
    rows.map((row, rank) => [
      columnText(row, 0),
      {
        view: { publicId: columnText(row, 1), name: columnText(row, 2), image: row[3] ?? null },
        rank,
      },
    ]),
  );

/** How many of the first cards fit into an answer by their bytes. */
export function countFitting(rows: readonly Texts[]): number {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += bytesPerCard + Buffer.byteLength(columnText(row, 4));
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
    const listId = columnText(row, 1);
    const list = lists.get(listId);
    if (list === undefined) return;
    const count = Number(row[11]) + (isMatching ? (live.get(listId) ?? 0) : 0);
    live.set(listId, count);
    if (!fits(row, nth)) return;
    const card = cardOf(row, prefix, count - 1);
    list.cards.push(card);
    cards.set(columnText(row, 0), card);
  });
  return cards;
}

/** Sets how many cards of each list pass: from the rows of counts, or else from those of cards. */
export function setCounts(
  lists: ReadonlyMap<string, List>,
  cardRows: readonly Texts[],
  countRows: readonly Texts[] | undefined,
  isMatching: boolean,
): void {
  for (const row of countRows ?? cardRows) {
    const list = lists.get(columnText(row, countRows === undefined ? 1 : 0));
    if (list === undefined) continue;
    if (countRows !== undefined) list.cardCount = Number(row[1]);
    else list.cardCount = isMatching ? Number(row[12]) : list.cardCount + 1;
  }
}

// The order of the fields is that of the schema.
const cardOf = (row: Texts, prefix: string, index: number): Card => ({
  publicId: columnText(row, 2),
  title: columnText(row, 4),
  dueDate: timeOrNull(row, 7),
  cardNumber: `${prefix}-${row[3]}`,
  startDate: timeOrNull(row, 6),
  isComplete: isTrue(row, 9),
  isArchived: isTrue(row, 10),
  version: Number(row[8]),
  hasDescription: isTrue(row, 5),
  index: isTrue(row, 10) ? null : index,
  labels: [],
  members: [],
  checklistItems: { total: 0, completed: 0 },
  commentCount: 0,
  attachmentCount: 0,
});

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
    const card = cards.get(columnText(row, 0));
    if (card === undefined) return;
    const [, kind, value] = row;
    if (kind === "items") card.checklistItems = { total: Number(value), completed: Number(row[3]) };
    else if (kind === "comments") card.commentCount = Number(value);
    else if (kind === "attachments") card.attachmentCount = Number(value);
    else if (kind === "label") addTo(card.labels, labels.get(columnText(row, 2)));
    else addTo(card.members, members.get(columnText(row, 2)));
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
    const label = row[1] === "label" ? labels.get(columnText(row, 2))?.view : undefined;
    const member = row[1] === "member" ? members.get(columnText(row, 2))?.view : undefined;
    bytes += (label?.name ?? member?.name ?? "").length;
    bytes += (label?.colourCode ?? member?.image ?? "").length;
    if (bytes > maxCardBytes) return BigInt(columnText(row, 0));
  }
  const last = rows.at(-1);
  return last === undefined || rows.length < maxRelations ? null : BigInt(columnText(last, 0));
}
