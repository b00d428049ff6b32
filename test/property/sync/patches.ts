import {
  byName,
  cardsOf,
  findCard,
  findList,
  newCard,
  removeCard,
  type BoardCopy,
  type CardCopy,
  type Copy,
  type Line,
} from "./lines.ts";

type Any = any;

/** Changes a copy by an event; answers the boards that have to be read again, or "all". */
export type Patch = (copy: Copy, data: Any, event: Any) => string | string[] | undefined | void;

const isOld = (known: Line | undefined, next: Line) =>
  known !== undefined && known["version"] >= next["version"];

const shows = ({ card, comments }: CardCopy, member: string): boolean =>
  card["members"].some(({ publicId }: Line) => publicId === member) ||
  card["claim"]?.member.publicId === member ||
  [...comments.values()].some(
    ({ author, importedAuthor }) =>
      author?.publicId === member || importedAuthor?.member?.publicId === member,
  );

/** The boards that show a member, on cards or as an author. */
const boardsOf = (copy: Copy, member: string): string[] =>
  [...copy.boards].flatMap(([id, { lists }]) =>
    lists.some(({ cards }) => cards.some((card) => shows(card, member))) ? [id] : [],
  );

/** The card of an event, when the copy has an older version of it. */
function olderCard(copy: Copy, { card }: Any): CardCopy | undefined {
  const known = findCard(copy, card.publicId);
  return isOld(known?.card, card) ? undefined : known;
}

const boardOfList = (copy: Copy, id: string): BoardCopy | undefined =>
  [...copy.boards.values()].find(({ lists }) => lists.some(({ list }) => list.publicId === id));

function insertList(copy: Copy, { list, to, cards }: Any, { boardPublicId }: Any) {
  const known = findList(copy, list.publicId);
  const board = copy.boards.get(boardPublicId);
  if (board === undefined || isOld(known?.list, list)) return;
  board.lists = board.lists.filter((one) => one !== known);
  if (list.isArchived) return;
  const shown = { list: { ...known?.list, ...list, boardPublicId }, cards: known?.cards ?? [] };
  if (cards !== undefined)
    shown.cards = cards.map((card: Any) => newCard({ ...card, boardPublicId }));
  board.lists.splice(to.index, 0, shown);
}

const boardOf = ({ data, boardPublicId }: Any): string =>
  data.boardPublicId ?? boardPublicId ?? data.board.publicId;

/** The patches of boards, by their names in the documentation. */
export const boardPatches: Record<string, Patch> = {
  nothing: () => undefined,
  "replace the card"(copy, { card: { index: _index, ...card } }) {
    const known = olderCard(copy, { card });
    if (known !== undefined) Object.assign(known.card, card);
  },
  "relate the card"(copy, { card }) {
    const known = findCard(copy, card.publicId)?.card;
    if (known !== undefined && known["version"] <= card.version)
      known["relatedCards"] = card.relatedCards;
  },
  "insert the card"(copy, { card, to }) {
    if (to === undefined) return removeCard(copy, card.publicId);
    const known = findCard(copy, card.publicId);
    if (isOld(known?.card, card)) return undefined;
    removeCard(copy, card.publicId);
    if (card.isArchived) return undefined;
    const { boardPublicId, listPublicId, index } = to;
    const next = { ...known?.card, ...card, boardPublicId };
    const shown = known === undefined ? newCard(next) : { ...known, card: next };
    findList(copy, listPublicId)?.cards.splice(index, 0, shown);
    return undefined;
  },
  "remove the card"(copy, { card }) {
    if (!isOld(findCard(copy, card.publicId)?.card, card)) removeCard(copy, card.publicId);
  },
  "replace the list"(copy, { list }) {
    const known = findList(copy, list.publicId)?.list;
    if (known !== undefined && !isOld(known, list)) Object.assign(known, list);
  },
  "insert the list": insertList,
  "move the list"(copy, data, event) {
    const { list, from, to } = data;
    const { boardPublicId } = event;
    if (from?.boardPublicId === to?.boardPublicId) return insertList(copy, data, event);
    const known = findList(copy, list.publicId)?.list;
    const board = copy.boards.get(boardPublicId);
    if (board === undefined || isOld(known, list)) return undefined;
    if (to?.boardPublicId === boardPublicId) return boardPublicId;
    board.lists = board.lists.filter((one) => one.list.publicId !== list.publicId);
    return undefined;
  },
  "remove the list"(copy, { list }) {
    const board = boardOfList(copy, list.publicId);
    if (board === undefined || isOld(findList(copy, list.publicId)?.list, list)) return;
    board.lists = board.lists.filter((one) => one.list.publicId !== list.publicId);
  },
  "sort the cards"(copy, { list, cardPublicIds = [] }) {
    const known = findList(copy, list.publicId);
    if (known === undefined || isOld(known.list, list)) return;
    Object.assign(known.list, list);
    const nth = ({ card }: CardCopy) => cardPublicIds.indexOf(card.publicId);
    known.cards.sort((one, other) => nth(one) - nth(other));
  },
  "set the label"(copy, { label: { version: _version, ...label } }, { boardPublicId }) {
    const board = copy.boards.get(boardPublicId);
    board?.labels.set(label.publicId, { ...label, boardPublicId });
    for (const { card } of board?.lists.flatMap(({ cards }) => cards) ?? []) {
      const others = card["labels"].filter(({ publicId }: Line) => publicId !== label.publicId);
      if (others.length < card["labels"].length)
        card["labels"] = [...others, label].toSorted(byName);
    }
  },
  "remove the label"(copy, { label }, { boardPublicId }) {
    copy.boards.get(boardPublicId)?.labels.delete(label.publicId);
    for (const { card } of cardsOf(copy)) {
      card["labels"] = card["labels"].filter(({ publicId }: Line) => publicId !== label.publicId);
    }
  },
  // The copy has no fields, but the values on cards.
  "set the field": (_copy, _data, event) => boardOf(event),
  "remove the field"(copy, { field }) {
    for (const { card } of cardsOf(copy)) {
      const { [field.publicId]: _value, ...others } = card["fields"];
      card["fields"] = others;
    }
  },
  "set the member"(copy, { memberPublicId, member }) {
    if (member === undefined) return boardsOf(copy, memberPublicId);
    const { publicId, name, image } = member;
    for (const { card } of cardsOf(copy)) {
      if (card["claim"]?.member.publicId === publicId)
        card["claim"] = { ...card["claim"], member: { publicId, name, image } };
      const known = card["members"].find((one: Line) => one.publicId === publicId);
      if (known === undefined) continue;
      Object.assign(known, { name, image });
      card["members"].sort(byName);
    }
    return undefined;
  },
  "read its boards": (copy, { memberPublicId }) => boardsOf(copy, memberPublicId),
  "replace the prefix"(copy, { workspace }) {
    for (const { card } of cardsOf(copy)) {
      card["cardNumber"] = `${workspace.cardPrefix}-${card["cardNumber"].split("-").at(-1)}`;
    }
  },
  "replace the board"(copy, { board }) {
    const known = copy.boards.get(board.publicId)?.board;
    if (known !== undefined && !isOld(known, board)) Object.assign(known, board);
  },
  "read the board": (_copy, _data, event) => boardOf(event),
  "read all boards": () => "all",
  "remove the board": (copy, _data, event) => void copy.boards.delete(boardOf(event)),
};
