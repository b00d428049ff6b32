import type { BoardEvent } from "../router.ts";
import {
  byName,
  findCard,
  findList,
  has,
  insertCard,
  insertList,
  mapCard,
  mapCards,
  mapList,
  putField,
  putLabel,
  removeCard,
  removeField,
  removeLabel,
  removeList,
  shownValues,
  withCards,
  withFields,
  withLimit,
  without,
} from "./tree.ts";
import type { BoardView, CardView, EventCard, FieldView, ListView } from "./types.ts";

/** A board after an event; or what is left to do: read it again, or remove it. */
export type Patched = BoardView | "read" | "remove";

type Versioned = { publicId: string; version: number };
type Member = { publicId: string; name: string; image: string | null };

/** What the patches read of the data of events. */
export type Data = {
  card: EventCard;
  list: Omit<ListView, "cards" | "cardCount" | "cardsOverLimit">;
  board: BoardView;
  label: { publicId: string; name: string; colourCode: string | null };
  field: FieldView & { version: number };
  memberPublicId: string;
  /** Not for readers without member:view. */
  member?: Member;
  workspace: { cardPrefix: string };
  from?: { boardPublicId?: string };
  to?: { listPublicId: string; boardPublicId?: string; index: number };
  cards?: EventCard[];
  cardPublicIds?: string[] | undefined;
  shortened?: string[];
  boardPublicId?: string;
};

export type Patch = (board: BoardView, data: Data, event: BoardEvent) => Patched;

/** Whether the copy has this version of a resource, or a later one. */
const isOld = (current: Versioned | undefined, next: Versioned) =>
  current !== undefined && current.version >= next.version;

/**
 * The card as boards show it, with the labels and the custom fields as the board has them.
 *
 * An event can have a label or a value from before a change that the log has first: calls that
 * change cards and labels at the same moment do not wait for each other.
 */
function cardOf(
  board: BoardView,
  {
    description: _description,
    listPublicId: _list,
    createdAt: _created,
    updatedAt: _updated,
    ...card
  }: EventCard,
): CardView {
  return {
    ...card,
    labels: board.labels.filter((label) => has(card.labels, label.publicId)),
    fields: shownValues(board, card.fields),
  };
}

const isOldCard = (board: BoardView, card: Versioned) =>
  isOld(findCard(board, card.publicId)?.card, card);
const isOldList = (board: BoardView, list: Versioned) =>
  isOld(findList(board, list.publicId), list);

const replaceCard: Patch = (board, { card }) =>
  isOldCard(board, card)
    ? board
    : mapCard(board, card.publicId, ({ index }) => ({ ...cardOf(board, card), index }));

const insertOrMove: Patch = (board, { card, to }) => {
  if (to === undefined) return removeCard(board, card.publicId);
  if (isOldCard(board, card)) return board;
  return card.isArchived
    ? removeCard(board, card.publicId)
    : insertCard(board, cardOf(board, card), to.listPublicId, to.index);
};

const dropCard: Patch = (board, { card }) =>
  isOldCard(board, card) ? board : removeCard(board, card.publicId);

const replaceList: Patch = (board, { list }) =>
  isOldList(board, list)
    ? board
    : mapList(board, list.publicId, (current) => withLimit(current, list));

const showList: Patch = (board, { list, to, cards, shortened }, { boardPublicId }) => {
  if (boardPublicId !== board.publicId || isOldList(board, list)) return board;
  if (shortened?.includes("data.cards") === true) return "read";
  if (list.isArchived) return removeList(board, list.publicId);
  const current = findList(board, list.publicId);
  const merged = { cards: [], cardCount: 0, cardsOverLimit: 0, ...current, ...list };
  return insertList(
    board,
    withCards(merged, cards?.map((card) => cardOf(board, card)) ?? merged.cards),
    to?.index ?? 0,
  );
};

/** A list that leaves for another board is dropped; on the board where it arrives it is read. */
const moveList: Patch = (board, data, event) => {
  const { list, from, to } = data;
  if (from?.boardPublicId === to?.boardPublicId) return showList(board, data, event);
  if (event.boardPublicId !== board.publicId || isOldList(board, list)) return board;
  return to?.boardPublicId === board.publicId ? "read" : removeList(board, list.publicId);
};

const dropList: Patch = (board, { list }) =>
  isOldList(board, list) ? board : removeList(board, list.publicId);

const sortCards: Patch = (board, { list, cardPublicIds = [], shortened }) => {
  if (findList(board, list.publicId) === undefined || isOldList(board, list)) return board;
  if (shortened?.includes("data.cardPublicIds") === true) return "read";
  const at = new Map(cardPublicIds.map((id, nth) => [id, nth]));
  const nth = ({ publicId }: CardView) => at.get(publicId) ?? -1;
  return mapList(board, list.publicId, (current) =>
    withCards(
      { ...current, ...list },
      current.cards.toSorted((a, b) => nth(a) - nth(b)),
    ),
  );
};

const setLabel: Patch = (board, { label: { publicId, name, colourCode } }, { boardPublicId }) =>
  boardPublicId === board.publicId ? putLabel(board, { publicId, name, colourCode }) : board;

const dropLabel: Patch = (board, { label: { publicId } }) => removeLabel(board, publicId);

const setField: Patch = (board, { field, to, shortened }, { type, ...event }) => {
  if (event.boardPublicId !== board.publicId) return board;
  const { version: _, ...next } = field;
  const current = board.fields.find(({ publicId }) => publicId === next.publicId);
  const hasOption = ({ publicId }: { publicId: string }) => has(current?.options ?? [], publicId);
  // Values that the copy lacks may show again: those of the field, or of an option.
  const mayShow = current?.isShownOnCard !== true || !next.options.every(hasOption);
  const isRead = type !== "field.created" && next.isShownOnCard && mayShow;
  if (isRead || shortened !== undefined) return "read";
  return putField(board, next, to?.index ?? board.fields.length);
};

const dropField: Patch = (board, { field: { publicId } }) => removeField(board, publicId);

const shows = ({ claim, members, fields }: CardView, memberPublicId: string) =>
  has(members, memberPublicId) ||
  claim?.member.publicId === memberPublicId ||
  Object.values(fields).includes(memberPublicId);

/**
 * For boards that show a member, where the event does not say what to show.
 *
 * A removed member who came back may be on cards again, whose versions do not say since when.
 */
const readMember: Patch = (board, { memberPublicId }) =>
  mapCards(board, (card) => (shows(card, memberPublicId) ? { ...card } : card)) === board
    ? board
    : "read";

const setMember: Patch = (board, data, event) => {
  if (data.member === undefined) return readMember(board, data, event);
  const { publicId, name, image } = data.member;
  const member = { publicId, name, image };
  return mapCards(board, (card) => {
    const { claim, members } = card;
    if (!shows(card, publicId)) return card;
    return {
      ...card,
      claim: claim?.member.publicId === publicId ? { ...claim, member } : claim,
      members: has(members, publicId)
        ? [...without(members, publicId), member].toSorted(byName)
        : members,
    };
  });
};

const setPrefix: Patch = (board, { workspace: { cardPrefix } }) =>
  mapCards(board, (card) =>
    withFields(card, { cardNumber: card.cardNumber.replace(/^.*-/, `${cardPrefix}-`) }),
  );

const replaceBoard: Patch = (board, { board: next }) =>
  next.publicId !== board.publicId || isOld(board, next) ? board : { ...board, ...next };

/** The board that an event is about. */
export const boardOf = ({ boardPublicId, data }: BoardEvent): string | undefined =>
  (data as Partial<Data>).boardPublicId ?? boardPublicId;

/** For boards that an event may show. */
export const reloadBoard: Patch = (board, _, event) =>
  boardOf(event) === board.publicId ? "read" : board;
/** For boards that can no longer be seen. */
export const dropBoard: Patch = (board, data, event) =>
  (boardOf(event) ?? data.board.publicId) === board.publicId ? "remove" : board;

/** The patches, each with its events, or with the resources whose other events it applies. */
export const patches: [types: string, patch: Patch][] = [
  ["card comment attachment checklist checklist_item", replaceCard],
  ["card.created card.restored card.unarchived card.moved", insertOrMove],
  ["card.archived card.deleted", dropCard],
  ["list.updated", replaceList],
  ["list.created list.restored list.unarchived", showList],
  ["list.moved", moveList],
  ["list.archived list.deleted", dropList],
  ["list.sorted", sortCards],
  ["label.created label.updated", setLabel],
  ["label.deleted", dropLabel],
  ["member.updated", setMember],
  ["member.removed", readMember],
  ["workspace.updated", setPrefix],
  ["board.updated board.archived board.unarchived", replaceBoard],
  ["field.created field.updated field.restored", setField],
  ["field.deleted", dropField],
  ["board.created board.restored board.moved access.gained", reloadBoard],
  ["import.people_mapped", () => "read"],
  ["access.lost board.deleted", dropBoard],
];
