import { newPublicId } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import { hasPlacement, present } from "./fields.ts";
import { findCard, findList, has, without } from "./rows.ts";
import type { BoardView, Editable, MemberView } from "./types.ts";
import type { Send, Write } from "./writes.ts";

/** A position among the cards or lists: set at most one; without one it is the end. */
export type Position = {
  /** In front of the card or list with this public id. */
  before?: string;
  /** After the card or list with this public id. */
  after?: string;
  /** The index among them, from 0. */
  index?: number;
};

/** A member by id. A member as an object shows at once where no card shows the member. */
export type MemberChoice = string | MemberView;

/** The fields of a card. `null` clears a field; `fields` has values of custom fields by their ids. */
export type CardChanges = Pick<Inputs["card"]["update"], Editable | "description" | "fields">;

/** Whether a list may exceed its limit, which requires `list:edit`. */
export type OverrideOption = {
  /** The list may have more cards than its limit: requires `list:edit`. */
  override?: boolean;
};

/** A new card. */
export type NewCard = Position &
  OverrideOption &
  Omit<CardChanges, "isComplete"> & {
    /** Made with `newPublicId`; without it the store makes one. */
    publicId?: string;
    /** The public id of its list. */
    list: string;
    /** The title. */
    title: string;
    /** The public ids of its labels. */
    labels?: string[];
    /** The members who are assigned. */
    members?: MemberChoice[];
  };

const idOf = (member: MemberChoice) => (typeof member === "string" ? member : member.publicId);

type MaybeUndefined<T> = { [Name in keyof T]: T[Name] | undefined };

const placement = ({ before, after, index }: MaybeUndefined<Position>) =>
  present({ beforeCardPublicId: before, afterCardPublicId: after, index });

type View = () => BoardView | undefined;
type Change = (cardPublicId: string, input: object, more?: object) => Write;

/** The members as cards show them. */
function shownBy(view: View, members: MemberChoice[]): { members: MemberView[] } {
  const cards = view()?.lists.flatMap((list) => list.cards) ?? [];
  const assigned = cards.flatMap((card) => card.members);
  const membersInput = members.filter((member) => typeof member !== "string");
  return {
    members: [...assigned.filter((member) => members.includes(member.publicId)), ...membersInput],
  };
}

/** What a card is to another one: `blocks`, or as the other end sees it `blockedBy`. */
export type RelationKind = NonNullable<Inputs["card"]["update"]["addRelations"]>[number]["kind"];

const relationActions = (change: Change, view: View) => ({
  /** Relates the card to another one: it `blocks` the other, is its `parent`, or its `child`. */
  relate: (cardPublicId: string, kind: RelationKind, relatedCardPublicId: string): Write =>
    change(cardPublicId, { addRelations: [{ kind, relatedCardPublicId }] }),
  /** Removes a relation of the card to another one. */
  unrelate: (cardPublicId: string, kind: RelationKind, relatedCardPublicId: string): Write =>
    change(cardPublicId, { removeRelations: [{ kind, relatedCardPublicId }] }),
  /** The card has these labels and no others. */
  setLabels: (cardPublicId: string, labelPublicIds: string[]): Write =>
    change(cardPublicId, { labelPublicIds }),
  /** Adds a label to the card. */
  addLabel: (cardPublicId: string, labelPublicId: string): Write =>
    change(cardPublicId, { addLabelPublicIds: [labelPublicId] }),
  /** Removes a label from the card. */
  removeLabel: (cardPublicId: string, labelPublicId: string): Write =>
    change(cardPublicId, { removeLabelPublicIds: [labelPublicId] }),
  /** These members are assigned and no others. */
  setMembers: (cardPublicId: string, members: MemberChoice[]): Write =>
    change(cardPublicId, { memberPublicIds: members.map(idOf) }, shownBy(view, members)),
  /** Assigns a member. */
  addMember: (cardPublicId: string, member: MemberChoice): Write =>
    change(cardPublicId, { addMemberPublicIds: [idOf(member)] }, shownBy(view, [member])),
  /** Removes an assigned member. */
  removeMember: (cardPublicId: string, member: MemberChoice): Write =>
    change(cardPublicId, { removeMemberPublicIds: [idOf(member)] }),
});

/** The position of a card in a list: without `list` in its own. */
export type CardPosition = Position &
  OverrideOption & {
    /** The public id of the list. */
    list?: string;
  };

type Move = (cardPublicId: string, to: CardPosition) => Write;

function mover(change: Change, view: View, recordMove: RecordMove): Move {
  const move: Move = (cardPublicId, { list, override, ...to }) => {
    const board = view();
    const located = board && findCard(board, cardPublicId);
    const from = located?.list.publicId;
    const fields = placement(to);
    const isSame = located !== undefined && (list ?? from) === from;
    const isAtEnd = isSame && !hasPlacement(fields);
    const position = isAtEnd ? { index: located.list.cards.length - 1 } : fields;
    const isElsewhere = list !== undefined && board && findList(board, list) === undefined;
    const input = { ...present({ listPublicId: list, override }), ...position };
    const write = change(cardPublicId, input, isElsewhere ? present({ card: located?.card }) : {});
    if (located === undefined) return write;
    const spot = spotOf(located.list.cards, cardPublicId);
    const undo = () => move(cardPublicId, back(view(), located.list.publicId, cardPublicId, spot));
    return recordMove({ ...write, undo });
  };
  return move;
}

const creator =
  (send: Send, view: View): ((card: NewCard) => Write) =>
  ({ publicId = newPublicId(), list, labels, members, before, after, index, ...fields }) =>
    send(
      "card.create",
      {
        ...fields,
        ...placement({ before, after, index }),
        ...present({ labelPublicIds: labels, memberPublicIds: members?.map(idOf) }),
        publicId,
        listPublicId: list,
      },
      { publicId, cardPublicId: publicId, ...(members && shownBy(view, members)) },
    );

/** The changes of the cards of a board. */
export function cardActions(send: Send, view: View, recordMove: RecordMove) {
  const change: Change = (cardPublicId, input, fields = {}) =>
    send(
      "card.update",
      { ...input, cardPublicId },
      { publicId: cardPublicId, cardPublicId, ...fields },
    );
  const update: (
    cardPublicId: string,
    changes: CardChanges,
    options?: { ifVersion?: number },
  ) => Write = change;

  return {
    /** Adds a card to a list. */
    create: creator(send, view),
    /** Moves a card within its list, or to another list of any board. */
    move: mover(change, view, recordMove),
    /** Changes the given fields. */
    update,
    ...relationActions(change, view),
    /** Archives a card: the board does not show it. */
    archive: (cardPublicId: string): Write => change(cardPublicId, { isArchived: true }),
    /** The card shows again when the service has answered. */
    unarchive: (cardPublicId: string, options: OverrideOption = {}): Write =>
      change(cardPublicId, { isArchived: false, ...options }),
    /** Moves a card to the trash. */
    delete: (cardPublicId: string): Write =>
      send("card.delete", { cardPublicId }, { publicId: cardPublicId, cardPublicId }),
    /** Brings a card back from the trash. */
    restore: (cardPublicId: string, options: OverrideOption = {}): Write => {
      const subject = { publicId: cardPublicId, cardPublicId };
      return send("card.restore", { cardPublicId, ...options }, subject);
    },
  };
}

/** The changes of the cards of a board. */
export interface CardActions extends ReturnType<typeof cardActions> {}

/** Records a move, which can be undone. */
export type RecordMove = (write: Write) => Write;

type Spot = { next: string | undefined; index: number };

/** Where an item is: in front of the next one. */
export function spotOf(items: { publicId: string }[], id: string): Spot {
  const index = items.findIndex(({ publicId }) => publicId === id);
  return { next: items[index + 1]?.publicId, index };
}

/** The position in a list where a card was: in front of the same card if it is still there. */
function back(board: BoardView | undefined, list: string, id: string, { next, index }: Spot) {
  const cards = without((board && findList(board, list)?.cards) ?? [], id);
  if (next === undefined) return { list, index: cards.length };
  return has(cards, next) ? { list, before: next } : { list, index };
}
