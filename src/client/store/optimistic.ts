import {
  fieldsOf,
  givenFields,
  indexIn,
  hasPlacement,
  present,
  relationsOf,
  timeOf,
  valuesOf,
  type Pending,
} from "./fields.ts";
import { editable, newCard } from "./new-card.ts";
import {
  findCard,
  findList,
  has,
  insertCard,
  insertList,
  mapCard,
  mapList,
  putField,
  putLabel,
  removeCard,
  removeField,
  removeLabel,
  removeList,
  shownFields,
  withFields,
  withLimit,
  without,
} from "./tree.ts";
import type { Inputs } from "../router.ts";
import type { BoardView, CardView, FieldView, ListView } from "./types.ts";

type Effect = (board: BoardView, change: Pending) => BoardView;

function edited(card: CardView, change: Pending, board: BoardView): CardView {
  const { description } = fieldsOf(change);
  const hasDescription =
    description === undefined ? card.hasDescription : description !== null && description !== "";
  return withFields(card, {
    ...givenFields(change, ...editable),
    hasDescription,
    ...relationsOf(card, change, board),
    fields: valuesOf(card.fields, change, shownFields(board)),
  });
}

const createCard: Effect = (board, change) => {
  const fields = fieldsOf(change);
  const list = findList(board, fields.listPublicId ?? "");
  if (list === undefined || findCard(board, change.publicId) !== undefined) return board;
  const card = edited(newCard(change.publicId), change, board);
  return insertCard(board, card, list.publicId, indexIn(list.cards, fields));
};

const updateCard: Effect = (board, change) => {
  const fields = fieldsOf(change);
  const located = findCard(board, change.publicId);
  const card = located?.card ?? change.card;
  if (card === undefined) return board;
  if (fields.isArchived === true) return removeCard(board, card.publicId);
  const next = edited(card, change, board);
  const target = fields.listPublicId ?? located?.list.publicId;
  const isMoved = target !== located?.list.publicId || hasPlacement(fields);
  if (!isMoved) return mapCard(board, card.publicId, () => next);
  const rest = removeCard(board, card.publicId);
  const list = findList(rest, target ?? "");
  if (list === undefined) return rest;
  return insertCard(board, next, list.publicId, indexIn(list.cards, fields));
};

const createList: Effect = (board, change) => {
  const { publicId } = change;
  const { name = "" } = fieldsOf(change);
  if (findList(board, publicId) !== undefined) return board;
  const time = timeOf(change);
  const list: ListView = {
    publicId,
    name,
    wipLimit: null,
    wipMode: "warn",
    isArchived: false,
    version: 0,
    cardCount: 0,
    cardsOverLimit: 0,
    cards: [],
    createdAt: time,
    updatedAt: time,
  };
  return insertList(board, list, indexIn(board.lists, fieldsOf(change)));
};

const updateList: Effect = (board, change) => {
  const fields = fieldsOf(change);
  const list = findList(board, change.publicId);
  if (list === undefined) return board;
  if (fields.isArchived === true) return removeList(board, list.publicId);
  const next = withLimit(list, givenFields(change, "name", "wipLimit", "wipMode"));
  if (!hasPlacement(fields)) return mapList(board, list.publicId, () => next);
  const otherLists = without(board.lists, list.publicId);
  return insertList(board, next, indexIn(otherLists, fields));
};

const setLabel: Effect = (board, change) => {
  const { name = "", colourCode = null } = fieldsOf(change);
  return putLabel(board, { publicId: change.publicId, name, colourCode });
};

const createField: Effect = (board, change) => {
  const { publicId, input } = change;
  if (has(board.fields, publicId)) return board;
  const { name = "" } = fieldsOf(change);
  const { type, unit = null, isShownOnCard = false } = input as Inputs["field"]["create"];
  // The service makes the ids of the options.
  const field: FieldView = { publicId, name, type, unit, isShownOnCard, options: [] };
  return putField(board, field, indexIn(board.fields, fieldsOf(change)));
};

const updateField: Effect = (board, change) => {
  const field = board.fields.find(({ publicId }) => publicId === change.publicId);
  if (field === undefined || change.isSeen) return board;
  const { options, unit, isShownOnCard } = change.input as Inputs["field"]["update"];
  const changedOptions = options?.flatMap(({ publicId = "", ...fields }) => {
    const option = field.options.find((candidate) => candidate.publicId === publicId);
    return option === undefined ? [] : withFields(option, present(fields));
  });
  const fields = {
    ...givenFields(change, "name"),
    ...present({ options: changedOptions, unit, isShownOnCard }),
  };
  const at = hasPlacement(fieldsOf(change))
    ? indexIn(without(board.fields, field.publicId), fieldsOf(change))
    : board.fields.indexOf(field);
  return putField(board, withFields(field, fields), at);
};

const updateBoard: Effect = (board, { input }) => {
  const { boardPublicId: _, ...fields } = input;
  return withFields(board, fields as Partial<BoardView>);
};

/** Adds to the number of comments or items, until the event has the new number. */
const count =
  (comments: number, items: number): Effect =>
  (board, { cardPublicId = "", isSeen }) =>
    isSeen
      ? board
      : mapCard(board, cardPublicId, (card) => ({
          ...card,
          commentCount: card.commentCount + comments,
          checklistItems: { ...card.checklistItems, total: card.checklistItems.total + items },
        }));

/** What each operation changes of a board at once. Others show when their event arrives. */
const effects: Record<string, Effect> = {
  "card.create": createCard,
  "card.update": updateCard,
  "card.delete": (board, { publicId }) => removeCard(board, publicId),
  "list.create": createList,
  "list.update": updateList,
  "list.delete": (board, { publicId }) => removeList(board, publicId),
  "label.create": setLabel,
  "label.update": setLabel,
  "label.delete": (board, { publicId }) => removeLabel(board, publicId),
  "field.create": createField,
  "field.update": updateField,
  "field.delete": (board, { publicId }) => removeField(board, publicId),
  "board.update": updateBoard,
  "comment.create": count(1, 0),
  "comment.delete": count(-1, 0),
  "checklist.addItem": count(0, 1),
  "checklist.create": (board, change) =>
    count(0, fieldsOf(change).items?.length ?? 0)(board, change),
};

/** A board with the changes that are not confirmed yet, in their order. */
export const withChanges = (board: BoardView, changes: readonly Pending[]): BoardView =>
  changes.reduce((next, change) => effects[change.operation]?.(next, change) ?? next, board);
