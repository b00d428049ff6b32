import { newPublicId } from "../public-id.ts";
import { present } from "./fields.ts";
import { findCard, findList } from "./tree.ts";
import type { BoardView, MemberView } from "./types.ts";
import type { Send, Write } from "./writes.ts";

/** A position among the cards or lists: set at most one; without one it is the end. */
export type Position = { before?: string; after?: string; index?: number };

/** A member by id. A member as an object shows at once where no card shows the member. */
export type MemberChoice = string | MemberView;

/** The fields of a card. `null` clears a field. */
export type CardChanges = {
  title?: string;
  description?: string | null;
  dueDate?: string | null;
  startDate?: string | null;
  isComplete?: boolean;
};

/** A new card. */
export type NewCard = Position &
  Omit<CardChanges, "isComplete"> & {
    /** Made with `newPublicId`; without it the store makes one. */
    publicId?: string;
    list: string;
    title: string;
    labels?: string[];
    members?: MemberChoice[];
  };

const idOf = (member: MemberChoice) => (typeof member === "string" ? member : member.publicId);

const placement = ({ before, after, index }: Position) =>
  present({ beforeCardPublicId: before, afterCardPublicId: after, index });

/** The changes of the cards of a board. */
export class CardActions {
  readonly #send: Send;
  readonly #view: () => BoardView | undefined;
  readonly #moved: Moved;

  constructor(send: Send, view: () => BoardView | undefined, moved: Moved) {
    this.#send = send;
    this.#view = view;
    this.#moved = moved;
  }

  /** Adds a card to a list. */
  readonly create = ({
    publicId = newPublicId(),
    list,
    title,
    labels,
    members,
    ...rest
  }: NewCard): Write => {
    const { before: _before, after: _after, index: _index, ...fields } = rest;
    const relations = present({ labelPublicIds: labels, memberPublicIds: members?.map(idOf) });
    return this.#send(
      "card",
      "create",
      { ...fields, ...placement(rest), ...relations, publicId, title, listPublicId: list },
      { publicId, cardPublicId: publicId, ...(members && this.#shown(members)) },
    );
  };

  /** Moves a card within its list, or to another list of any board. */
  readonly move = (cardPublicId: string, { list, ...to }: { list?: string } & Position): Write => {
    const board = this.#view();
    const found = board && findCard(board, cardPublicId);
    const isSame = found !== undefined && (list ?? found.list.publicId) === found.list.publicId;
    const isAtEnd = (to.before ?? to.after ?? to.index) === undefined;
    const position = isSame && isAtEnd ? { index: found.list.cards.length - 1 } : placement(to);
    const isElsewhere = list !== undefined && board && findList(board, list) === undefined;
    const input = { ...present({ listPublicId: list }), ...position };
    const card = isElsewhere === true && found !== undefined ? { card: found.card } : {};
    const write = this.#update(cardPublicId, input, card);
    if (found === undefined) return write;
    const spot = spotOf(found.list.cards, cardPublicId);
    const undo = () =>
      this.move(cardPublicId, back(this.#view(), found.list.publicId, cardPublicId, spot));
    return this.#moved({ ...write, undo });
  };

  /** Changes the given fields. */
  readonly update = (
    cardPublicId: string,
    changes: CardChanges,
    options: { ifVersion?: number } = {},
  ): Write => this.#update(cardPublicId, changes, options);

  /** The card has these labels and no others. */
  readonly setLabels = (cardPublicId: string, labelPublicIds: string[]): Write =>
    this.#update(cardPublicId, { labelPublicIds });
  readonly addLabel = (cardPublicId: string, labelPublicId: string): Write =>
    this.#update(cardPublicId, { addLabelPublicIds: [labelPublicId] });
  readonly removeLabel = (cardPublicId: string, labelPublicId: string): Write =>
    this.#update(cardPublicId, { removeLabelPublicIds: [labelPublicId] });

  /** These members are assigned and no others. */
  readonly setMembers = (cardPublicId: string, members: MemberChoice[]): Write =>
    this.#update(cardPublicId, { memberPublicIds: members.map(idOf) }, this.#shown(members));
  readonly addMember = (cardPublicId: string, member: MemberChoice): Write =>
    this.#update(cardPublicId, { addMemberPublicIds: [idOf(member)] }, this.#shown([member]));
  readonly removeMember = (cardPublicId: string, member: MemberChoice): Write =>
    this.#update(cardPublicId, { removeMemberPublicIds: [idOf(member)] });

  readonly archive = (cardPublicId: string): Write =>
    this.#update(cardPublicId, { isArchived: true });
  /** The card shows again when the service has answered. */
  readonly unarchive = (cardPublicId: string): Write =>
    this.#update(cardPublicId, { isArchived: false });

  /** Moves a card to the trash. */
  readonly delete = (cardPublicId: string): Write =>
    this.#send("card", "delete", { cardPublicId }, { publicId: cardPublicId, cardPublicId });
  /** Brings a card back from the trash. */
  readonly restore = (cardPublicId: string): Write =>
    this.#send("card", "restore", { cardPublicId }, { publicId: cardPublicId, cardPublicId });

  #update(cardPublicId: string, input: object, more: object = {}): Write {
    const subject = { publicId: cardPublicId, cardPublicId, ...more };
    return this.#send("card", "update", { ...input, cardPublicId }, subject);
  }

  /** The members as cards show them. */
  #shown(members: MemberChoice[]): { members: MemberView[] } {
    const cards = this.#view()?.lists.flatMap((list) => list.cards) ?? [];
    const known = cards.flatMap((card) => card.members);
    const given = members.filter((one) => typeof one !== "string");
    return { members: [...known.filter((one) => members.includes(one.publicId)), ...given] };
  }
}

/** Notes a move, which can be undone. */
export type Moved = (write: Write) => Write;

type Spot = { next: string | undefined; index: number };

/** Where an item is: in front of the next one. */
export function spotOf(items: { publicId: string }[], id: string): Spot {
  const index = items.findIndex(({ publicId }) => publicId === id);
  return { next: items[index + 1]?.publicId, index };
}

/** The position in a list where a card was: in front of the same card if it is still there. */
function back(board: BoardView | undefined, list: string, id: string, { next, index }: Spot) {
  const cards = (board && findList(board, list)?.cards.filter((one) => one.publicId !== id)) ?? [];
  if (next === undefined) return { list, index: cards.length };
  return cards.some(({ publicId }) => publicId === next) ? { list, before: next } : { list, index };
}
