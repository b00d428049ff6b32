import { fieldsOf, givenFields, relationsOf, timeOf, valuesOf, type Pending } from "./fields.ts";
import { editable } from "./new-card.ts";
import { findCard, has, without } from "./tree.ts";
import type { BoardView, CardDetail, Comment } from "./types.ts";

/** The user whose changes are shown. */
export type Caller = { name: string; image: string | null };
type Shown = { board: BoardView | undefined; user: Caller | undefined };
type Effect = (card: CardDetail, change: Pending, shown: Shown) => CardDetail;
type Checklist = CardDetail["checklists"][number];
type Item = Checklist["items"][number];

const update: Effect = (card, change, { board }) => ({
  ...card,
  ...givenFields(change, ...editable, "description", "isArchived", "listPublicId"),
  ...relationsOf(card, change, board),
  fields: valuesOf(card.fields, change, board?.fields ?? []),
});

const setComments = (card: CardDetail, comments: readonly Comment[]): CardDetail => ({
  ...card,
  comments,
  commentCount: card.commentCount + comments.length - card.comments.length,
});

const addComment: Effect = (card, change, { user }) => {
  const { publicId, input } = change;
  if (has(card.comments, publicId)) return card;
  const time = timeOf(change);
  const comment: Comment = {
    publicId,
    comment: String(input["comment"]),
    // The user as a member is not known before the service has answered.
    author: user === undefined ? null : { publicId: "", name: user.name, image: user.image },
    authorName: user?.name ?? "",
    importedAuthor: null,
    isEdited: false,
    version: 0,
    createdAt: time,
    updatedAt: time,
  };
  return setComments(card, [...card.comments, comment]);
};

/** Changes the checklists. */
const onLists =
  (run: (lists: Checklist[], change: Pending) => Checklist[]): Effect =>
  (card, change) => ({ ...card, checklists: run(card.checklists, change) });

/** Changes the items of all checklists. */
const onItems = (run: (items: Item[], change: Pending) => Item[]): Effect =>
  onLists((lists, change) => lists.map((list) => withItems(list, run(list.items, change))));

/** A checklist with other items. */
const withItems = (list: Checklist, items: Item[]): Checklist => ({
  ...list,
  items,
  itemCount: list.itemCount + items.length - list.items.length,
});

const newItem = (publicId: string, title: string): Item => ({
  publicId,
  title,
  isComplete: false,
  completed: false,
  memberPublicId: null,
  dueDate: null,
  version: 0,
});

const addList = onLists((lists, change) => {
  const { publicId } = change;
  const { name = "", items = [] } = fieldsOf(change);
  if (has(lists, publicId)) return lists;
  const newItems = items.map((title, nth) => newItem(`${publicId}.${nth}`, title));
  return [...lists, { publicId, name, version: 0, itemCount: newItems.length, items: newItems }];
});

const addItem = onLists((lists, change) => {
  const { publicId, input } = change;
  return lists.map((list) =>
    list.publicId === input["checklistPublicId"] && !has(list.items, publicId)
      ? withItems(list, [...list.items, newItem(publicId, fieldsOf(change).title ?? "")])
      : list,
  );
});

const withoutSubject = <T extends { publicId: string }>(items: T[], { publicId }: Pending): T[] =>
  without(items, publicId);

/** The items, with other fields of the one that a change is about. */
const replaced = <T extends { publicId: string }>(
  items: readonly T[],
  { publicId }: Pending,
  fields: object,
): T[] => items.map((item) => (item.publicId === publicId ? { ...item, ...fields } : item));

/** A card that is being created, as boards show it, with what only its create has. */
export function newDetail(board: BoardView, change: Pending): CardDetail | undefined {
  const located = findCard(board, change.publicId);
  if (located === undefined) return undefined;
  const { hasDescription: _has, checklistItems: _items, ...card } = located.card;
  const time = timeOf(change);
  return {
    ...card,
    description: fieldsOf(change).description ?? null,
    createdAt: time,
    updatedAt: time,
    listPublicId: located.list.publicId,
    boardPublicId: board.publicId,
    workspacePublicId: board.workspacePublicId,
    checklists: [],
    attachments: [],
    isWatching: false,
    commentCount: 0,
    comments: [],
  };
}

/** Whether an item is completed, by both names of the field. */
function completion(change: Pending): object {
  const { isComplete, completed = isComplete } = fieldsOf(change);
  return completed === undefined ? {} : { isComplete: completed, completed };
}

/** What each operation changes of a card at once. */
const effects: Record<string, Effect> = {
  "card.update": update,
  "comment.create": addComment,
  "comment.update": (card, change) =>
    setComments(card, replaced(card.comments, change, { comment: change.input["comment"] })),
  "comment.delete": (card, change) => setComments(card, withoutSubject([...card.comments], change)),
  "checklist.create": addList,
  "checklist.update": onLists((lists, change) =>
    replaced(lists, change, givenFields(change, "name")),
  ),
  "checklist.delete": onLists(withoutSubject),
  "checklist.addItem": addItem,
  "checklist.updateItem": onItems((items, change) =>
    replaced(items, change, { ...givenFields(change, "title"), ...completion(change) }),
  ),
  "checklist.deleteItem": onItems(withoutSubject),
};

/** A card with the changes that are not confirmed yet, in their order. */
export const withCardChanges = (
  card: CardDetail,
  changes: readonly Pending[],
  shown: Shown,
): CardDetail =>
  changes.reduce(
    (next, change) =>
      change.cardPublicId === card.publicId
        ? (effects[change.operation]?.(next, change, shown) ?? next)
        : next,
    card,
  );
