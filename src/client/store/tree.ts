import { overLimit } from "../over-limit.ts";
import type { BoardView, CardView, FieldView, LabelView, ListView } from "./types.ts";

// Boards are never changed: a function returns another one, which shares all that is the same.

/** The list with this id. */
export const findList = (board: BoardView, id: string): ListView | undefined =>
  board.lists.find(({ publicId }) => publicId === id);

/** The card with this id, and its list. */
export function findCard(
  board: BoardView,
  id: string,
): { card: CardView; list: ListView } | undefined {
  for (const list of board.lists) {
    const card = list.cards.find(({ publicId }) => publicId === id);
    if (card !== undefined) return { card, list };
  }
  return undefined;
}

/** The items, changed by a function; the same array when no item changes. */
export function mapItems<Item>(items: Item[], change: (item: Item) => Item): Item[] {
  const next = items.map(change);
  return next.every((item, nth) => item === items[nth]) ? items : next;
}

/** An object with other fields; the same object when all fields are equal. */
export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  const isSame = Object.entries(fields).every(([name, field]) => value[name as keyof T] === field);
  return isSame ? value : { ...value, ...fields };
}

/** A board whose lists are changed by a function. */
const mapLists = (board: BoardView, change: (list: ListView) => ListView): BoardView =>
  withFields(board, { lists: mapItems(board.lists, change) });

/** A board whose list with this id is changed by a function. */
export const mapList = (
  board: BoardView,
  id: string,
  change: (list: ListView) => ListView,
): BoardView => mapLists(board, (list) => (list.publicId === id ? change(list) : list));

/** A board whose cards are changed by a function. */
export const mapCards = (board: BoardView, change: (card: CardView) => CardView): BoardView =>
  mapLists(board, (list) => withFields(list, { cards: mapItems(list.cards, change) }));

/** A board whose card with this id is changed by a function. */
export const mapCard = (
  board: BoardView,
  id: string,
  change: (card: CardView) => CardView,
): BoardView => mapCards(board, (card) => (card.publicId === id ? change(card) : card));

/** A list with these cards: their indices are their positions. */
export const withCards = (list: ListView, cards: CardView[]): ListView => ({
  ...list,
  cards: cards.map((card, index) => withFields(card, { index })),
  cardCount: cards.length,
  cardsOverLimit: overLimit(list, cards.length),
});

/** A list with other fields, of which its limit may be one. */
export function withLimit(list: ListView, fields: Partial<ListView>): ListView {
  const next = withFields(list, fields);
  return withFields(next, { cardsOverLimit: overLimit(next, next.cards.length) });
}

/** A board without a card. */
export const removeCard = (board: BoardView, id: string): BoardView =>
  mapLists(board, (list) =>
    has(list.cards, id) ? withCards(list, without(list.cards, id)) : list,
  );

/** A board with a card at an index of a list, and nowhere else. */
export const insertCard = (
  board: BoardView,
  card: CardView,
  listId: string,
  index: number,
): BoardView =>
  mapList(removeCard(board, card.publicId), listId, (list) =>
    withCards(list, list.cards.toSpliced(index, 0, card)),
  );

/** A board without a list. */
export const removeList = (board: BoardView, id: string): BoardView =>
  withFields(board, { lists: without(board.lists, id) });

/** A board with a list at an index, and nowhere else. */
export const insertList = (board: BoardView, list: ListView, index: number): BoardView => ({
  ...board,
  lists: without(board.lists, list.publicId).toSpliced(index, 0, list),
});

/** The order of labels and members: by name, then by id. */
export const byName = (
  one: { name: string; publicId: string },
  other: { name: string; publicId: string },
): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one.publicId < other.publicId ? -1 : 1;

/** Whether one of the items has an id. */
export const has = (items: readonly { publicId: string }[], id: string): boolean =>
  items.some(({ publicId }) => publicId === id);

/** The items without the one with this id; the same array if none has it. */
export const without = <Item extends { publicId: string }>(items: Item[], id: string): Item[] =>
  has(items, id) ? items.filter(({ publicId }) => publicId !== id) : items;

/** A board with a label, and with it on the cards that have it. */
export function putLabel(board: BoardView, label: LabelView): BoardView {
  const withLabel = (labels: LabelView[]) =>
    [...without(labels, label.publicId), label].toSorted(byName);
  return mapCards({ ...board, labels: withLabel(board.labels) }, (card) =>
    has(card.labels, label.publicId) ? { ...card, labels: withLabel(card.labels) } : card,
  );
}

/** The custom fields whose values lists of cards show. */
export const shownFields = ({ fields }: BoardView): FieldView[] =>
  fields.filter(({ isShownOnCard }) => isShownOnCard);

/** The ids of options in the order of the options. */
export const inOrder = (options: FieldView["options"], ids: readonly unknown[]): string[] =>
  options.flatMap(({ publicId }) => (ids.includes(publicId) ? publicId : []));

/** What cards of a board show of these values: those of its shown fields and their options. */
export function shownValues(board: BoardView, values: CardView["fields"]): CardView["fields"] {
  const valuesById: CardView["fields"] = {};
  for (const { publicId, type, options } of shownFields(board)) {
    const value = values[publicId];
    if (value === undefined) continue;
    if (type !== "select" && type !== "multiSelect") {
      valuesById[publicId] = value;
      continue;
    }
    const ids = inOrder(options, [value].flat());
    const [first] = ids;
    if (first !== undefined) valuesById[publicId] = type === "select" ? first : ids;
  }
  return valuesById;
}

/** A board whose cards show the values of its fields, and no others. */
const withValues = (board: BoardView): BoardView =>
  mapCards(board, (card) => ({ ...card, fields: shownValues(board, card.fields) }));

/** A board with a field at an index, and nowhere else. */
export const putField = (board: BoardView, field: FieldView, index: number): BoardView =>
  withValues({
    ...board,
    fields: without(board.fields, field.publicId).toSpliced(index, 0, field),
  });

/** A board without a field. */
export const removeField = (board: BoardView, id: string): BoardView =>
  has(board.fields, id) ? withValues({ ...board, fields: without(board.fields, id) }) : board;

/** A board without a label. */
export const removeLabel = (board: BoardView, id: string): BoardView =>
  mapCards(withFields(board, { labels: without(board.labels, id) }), (card) =>
    withFields(card, { labels: without(card.labels, id) }),
  );
