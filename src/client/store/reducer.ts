import { isBetweenCards } from "../../contract/vocabulary/between-cards.ts";
import type { BoardEvent } from "../router.ts";
import { present } from "./fields.ts";
import {
  find,
  has,
  isKind,
  mapRows,
  newRow,
  parentKindOf,
  put,
  remove,
  shownValues,
  withFields,
  type Kind,
  type Row,
} from "./rows.ts";
import type {
  BoardView,
  CardDetail,
  CardView,
  Comment,
  EventCard,
  FieldView,
  ListView,
} from "./types.ts";

/** A board after an event; or what is left to do: read it again, or remove it. */
type Patched = BoardView | "read" | "remove";

/** What is read of the data of events. */
type Data = {
  card?: EventCard;
  comment?: Comment;
  cards?: EventCard[];
  cardPublicIds?: string[];
  workspace?: { cardPrefix: string };
  boardPublicId?: string;
  memberPublicId?: string;
  to?: { index?: number | null } & Record<string, unknown>;
  shortened?: string[];
};

type Subject = Row & { version?: number; isArchived?: boolean };

/** What to do with the board of an event that says nothing of its contents. */
const wholeBoards: Record<string, "read" | "remove"> = {
  "board.created": "read",
  "board.restored": "read",
  "board.moved": "read",
  "access.gained": "read",
  "board.deleted": "remove",
  "access.lost": "remove",
};

const dataOf = ({ data }: BoardEvent): Data => data as Data;

/** The board that an event is about. */
const boardOf = (event: BoardEvent): string | undefined =>
  dataOf(event).boardPublicId ?? event.boardPublicId ?? resourceOf(event, "board")?.publicId;

/** The board that an event may have made visible. */
export const shownBoard = (event: BoardEvent): string | undefined =>
  wholeBoards[event.type] === "read" || event.type === "board.unarchived"
    ? boardOf(event)
    : undefined;

/** The board can no longer be seen. */
export const lostBoard = (event: BoardEvent): string | undefined =>
  wholeBoards[event.type] === "remove" ? boardOf(event) : undefined;

/** The kind of the resource that an event is about, and what happened to it. */
function nameOf({ type }: BoardEvent): [kind: string, verb: string] {
  const [name = "", verb = ""] = type.split(".");
  return [name.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase()), verb];
}

const resourceOf = ({ data }: BoardEvent, kind: string): Subject | undefined =>
  (data as Record<string, Subject | undefined>)[kind];

/** A board or card in which the subject of an event is what the event says, where it says. */
function withSubject<Root extends Row>(root: Root, event: BoardEvent, row: Subject): Root {
  const [kind, verb] = nameOf(event);
  if (!isKind(kind)) return root;
  const { to } = dataOf(event);
  const isInside = row.publicId !== root.publicId;
  // What moves to where the reader cannot see is gone.
  const isGone = verb === "deleted" || row.isArchived === true || (verb === "moved" && !to);
  if (isInside && isGone) return remove(root, kind, row.publicId);
  if (to === undefined && verb !== "created") return put(root, kind, row);
  return put(root, kind, row, { parent: parentOf(event, kind), index: to?.index ?? undefined });
}

function parentOf(event: BoardEvent, kind: Kind): string | undefined {
  const parentKind = parentKindOf(kind);
  const target = dataOf(event).to?.[`${parentKind}PublicId`] as string | undefined;
  const parent = resourceOf(event, parentKind)?.publicId;
  return target ?? parent ?? event.boardPublicId ?? undefined;
}

/**
 * The card as boards show it, with the labels and the custom fields as the board has them.
 *
 * An event can have a label or a value from before a change that the log has first: calls that
 * change cards and labels at the same moment do not wait for each other.
 */
const cardOn = (board: BoardView, card: EventCard): EventCard => ({
  ...card,
  labels: board.labels.filter((label) => has(card.labels, label.publicId)),
  fields: shownValues(board, card.fields),
});

/** The cards of a list after an event; "read" if the event does not have them all. */
function cardsOf(
  board: BoardView,
  event: BoardEvent,
  list: ListView | undefined,
): CardView[] | "read" | undefined {
  const { to, cards, cardPublicIds, shortened = [] } = dataOf(event);
  if (shortened.includes("data.cards") || shortened.includes("data.cardPublicIds")) return "read";
  const { publicId } = board;
  const isHere = to !== undefined && (to["boardPublicId"] ?? publicId) === publicId;
  // A list that arrives from another board.
  if (list === undefined && cards === undefined && isHere)
    return event.type === "list.created" ? undefined : "read";
  if (cards !== undefined) return cards.map((card) => newRow("card", cardOn(board, card)));
  const nth = new Map(cardPublicIds?.map((id, index) => [id, index]));
  const indexOf = (card: CardView) => nth.get(card.publicId) ?? -1;
  return event.type === "list.sorted"
    ? list?.cards.toSorted((one, other) => indexOf(one) - indexOf(other))
    : list?.cards;
}

/** Whether cards may show values that the copy lacks: those of a field, or of an option. */
function mayShowMore(board: BoardView, { type }: BoardEvent, field: FieldView): boolean {
  const current = board.fields.find(({ publicId }) => publicId === field.publicId);
  const hasOption = ({ publicId }: Row) => has(current?.options ?? [], publicId);
  const isSame = current?.isShownOnCard === true && field.options.every(hasOption);
  return type !== "field.created" && field.isShownOnCard && !isSame;
}

const showsMember = ({ lists }: BoardView, id = "") =>
  lists.some(({ cards }) =>
    cards.some(
      ({ claim, members, fields }) =>
        has(members, id) || claim?.member.publicId === id || Object.values(fields).includes(id),
    ),
  );

/** A board after an event of a member. */
function withMember(board: BoardView, event: BoardEvent): Patched {
  const member = resourceOf(event, "member");
  const { type } = event;
  // A removed member who came back may be on cards again, whose versions do not say since when.
  const isHidden = type === "member.removed" || (type === "member.updated" && !member);
  if (isHidden && showsMember(board, dataOf(event).memberPublicId)) return "read";
  return type === "member.updated" && member ? put(board, "member", member) : board;
}

const withPrefix = (board: BoardView, prefix: string): BoardView =>
  mapRows(board, "card", (card: CardView) =>
    withFields(card, { cardNumber: card.cardNumber.replace(/^.*-/, `${prefix}-`) }),
  );

/** A board after an event. The same object when the event changes nothing of it. */
export function applyEvent(board: BoardView, event: BoardEvent): Patched {
  const [name] = nameOf(event);
  const { card, workspace, shortened } = dataOf(event);
  const whole = wholeBoards[event.type];
  if (whole !== undefined) return boardOf(event) === board.publicId ? whole : board;
  if (event.type === "import.people_mapped") return "read";
  if (name === "member") return withMember(board, event);
  if (workspace !== undefined) return withPrefix(board, workspace.cardPrefix);
  const kind = card === undefined ? name : "card";
  const row = resourceOf(event, kind);
  if (row === undefined || !isKind(kind)) return board;
  const current: Subject | undefined = find(board, kind, row.publicId);
  const isLeaving = kind === "card" && current !== undefined;
  if (event.boardPublicId !== board.publicId && !isLeaving) return board;
  // What is between two cards raises the version of neither.
  const isCurrent = (current?.version ?? 0) >= (row.version ?? Infinity);
  if (isCurrent && (!isBetweenCards(event.type) || current?.version !== row.version)) return board;
  if (card !== undefined) {
    const shown = row.version === undefined ? row : cardOn(board, card);
    return name === "card" ? withSubject(board, event, shown) : put(board, "card", shown);
  }
  if (kind === "list") {
    const cards = cardsOf(board, event, current as ListView | undefined);
    return cards === "read" ? "read" : withSubject(board, event, { ...row, ...present({ cards }) });
  }
  const isRead =
    kind === "field" &&
    event.type !== "field.deleted" &&
    (shortened !== undefined || mayShowMore(board, event, row as unknown as FieldView));
  return isRead ? "read" : withSubject(board, event, row);
}

/** The values of all custom fields: the card in the event has only those that boards show. */
function valuesAfter({ fields }: CardDetail, { changes }: BoardEvent): CardDetail["fields"] {
  const next = { ...fields };
  for (const [name, change] of Object.entries(changes ?? {})) {
    const [, publicId] = name.split("fields.");
    if (publicId === undefined) continue;
    const { to } = change as { to: CardDetail["fields"][string] | null };
    if (to === null) delete next[publicId];
    else next[publicId] = to;
  }
  return next;
}

/** Whether the caller may watch the card, or no longer watch it: the event does not say. */
const mayWatch = (card: CardDetail, event: BoardEvent, user: string | undefined) =>
  event.type === "card.member_added" ||
  event.type === "card.member_removed" ||
  (event.type === "comment.created" &&
    !card.isWatching &&
    (user === undefined || dataOf(event).comment?.authorName === user));

/** A card after one of its events; "read" where the event does not say all. */
export function applyCardEvent(
  card: CardDetail,
  event: BoardEvent,
  user: string | undefined,
): CardDetail | "read" {
  const { type } = event;
  const { comment, shortened, to, card: state } = dataOf(event);
  const version = state?.version ?? card.version + 2;
  // Comments may have been read before the card: they have versions of their own.
  const known = card.comments.find(({ publicId }) => publicId === comment?.publicId);
  const isNew =
    comment !== undefined &&
    (type === "comment.deleted" || (known?.version ?? 0) < comment.version);
  const { commentCount } = card;
  const base = isNew ? { ...withSubject(card, event, comment), commentCount } : card;
  // It does not say all that the card shows of the other one.
  if (isBetweenCards(type)) return "read";
  if (version <= card.version) return base;
  const isElsewhere = type === "card.moved" && to?.["boardPublicId"] !== card.boardPublicId;
  const isMissing = version > card.version + 1 || shortened !== undefined || isElsewhere;
  const isCut = card.checklists.some(({ items, itemCount }) => items.length < itemCount);
  if (isMissing || isCut || type === "card.deleted" || mayWatch(card, event, user)) return "read";
  const [kind] = nameOf(event);
  const part = kind === "card" || kind === "comment" ? undefined : resourceOf(event, kind);
  const withPart = part === undefined ? base : withSubject(base, event, part);
  const next = { ...state, publicId: card.publicId, fields: valuesAfter(card, event) };
  return put(withPart, "card", next);
}
