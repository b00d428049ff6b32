import type { BoardEvent } from "../router.ts";
import { without } from "./tree.ts";
import type { CardDetail, Comment, EventCard } from "./types.ts";

type Checklist = CardDetail["checklists"][number];
type Item = Checklist["items"][number];
type Attachment = CardDetail["attachments"][number];

/** What events of cards say of a card and its parts. */
type Data = {
  card: EventCard;
  comment?: Comment;
  checklist?: Omit<Checklist, "items" | "itemCount"> & { items?: Item[] };
  checklistItem?: Item;
  attachment?: Attachment;
  to?: { index?: number; boardPublicId?: string; cardPublicId?: string };
  shortened?: string[];
};

/** The items with one at its index: where it was, or at the end, if the event names no index. */
function withPart<Part extends { publicId: string }>(
  items: Part[],
  part: Part,
  index?: number,
): Part[] {
  const currentIndex = items.findIndex(({ publicId }) => publicId === part.publicId);
  const at = index ?? (currentIndex < 0 ? items.length : currentIndex);
  return without(items, part.publicId).toSpliced(at, 0, part);
}

function patchComments(card: CardDetail, { comment }: Data, type: string): readonly Comment[] {
  if (comment === undefined) return card.comments;
  const { publicId, version } = comment;
  const current = card.comments.find((item) => item.publicId === publicId);
  if (type === "comment.deleted") return without([...card.comments], publicId);
  if (current !== undefined && current.version >= version) return card.comments;
  return withPart([...card.comments], comment).toSorted((a, b) =>
    a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0,
  );
}

function patchItems(list: Checklist, { checklistItem: item, to }: Data, type: string): Checklist {
  if (item === undefined) return list;
  const items =
    type === "checklist_item.deleted"
      ? without(list.items, item.publicId)
      : withPart(list.items, item, to?.index);
  return { ...list, items, itemCount: list.itemCount + items.length - list.items.length };
}

function patchChecklists(card: CardDetail, data: Data, type: string): Checklist[] {
  const { checklists } = card;
  const { checklist, to } = data;
  if (checklist === undefined) return checklists;
  const { publicId } = checklist;
  const hasLeft = type === "checklist.moved" && to?.cardPublicId !== card.publicId;
  if (hasLeft || type === "checklist.deleted") return without(checklists, publicId);
  const current = checklists.find((list) => list.publicId === publicId);
  if (type.startsWith("checklist_item.")) {
    return checklists.map((list) =>
      list === current
        ? patchItems(list, data, type)
        : type === "checklist_item.moved"
          ? patchItems(list, data, "checklist_item.deleted")
          : list,
    );
  }
  const { items = current?.items ?? [], ...fields } = checklist;
  const itemCount = current?.itemCount ?? items.length;
  return withPart(checklists, { ...fields, itemCount, items }, to?.index);
}

function patchAttachments({ attachments }: CardDetail, { attachment }: Data, type: string) {
  if (attachment === undefined) return attachments;
  return type === "attachment.deleted"
    ? without(attachments, attachment.publicId)
    : withPart(attachments, attachment);
}

/** The values of all custom fields: the card in the event has only those that boards show. */
function patchValues({ fields }: CardDetail, { changes }: BoardEvent): CardDetail["fields"] {
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
const mayWatch = (card: CardDetail, { type, data }: BoardEvent, user: string | undefined) =>
  type === "card.member_added" ||
  type === "card.member_removed" ||
  (type === "comment.created" &&
    !card.isWatching &&
    (user === undefined || data.comment?.authorName === user));

/** A card after one of its events; "read" where the event does not say all. */
export function applyCardEvent(
  card: CardDetail,
  event: BoardEvent,
  user: string | undefined,
): CardDetail | "read" {
  const { type } = event;
  const data = event.data as unknown as Data;
  // Comments may have been read before the card: they have versions of their own.
  const comments = patchComments(card, data, type);
  const base = comments === card.comments ? card : { ...card, comments };
  const next = data.card.version;
  if (next <= card.version) return base;
  const isElsewhere = type === "card.moved" && data.to?.boardPublicId !== card.boardPublicId;
  const isMissing = next > card.version + 1 || data.shortened !== undefined || isElsewhere;
  const isCut = card.checklists.some(({ items, itemCount }) => items.length < itemCount);
  if (isMissing || isCut || type === "card.deleted" || mayWatch(card, event, user)) return "read";
  const fields = Object.entries(data.card).filter(([name]) => name in card);
  return {
    ...base,
    ...(Object.fromEntries(fields) as Partial<CardDetail>),
    fields: patchValues(card, event),
    checklists: patchChecklists(card, data, type),
    attachments: patchAttachments(card, data, type),
  };
}
