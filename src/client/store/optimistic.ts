import { aloneWith } from "../card-shapes.ts";
import { isDayAfter, isWholeDay, momentOfDate } from "../../contract/vocabulary/whole-days.ts";
import {
  fieldsOf,
  hasPlacement,
  indexIn,
  present,
  setsOf,
  timeOf,
  valuesOf,
  type Pending,
} from "./fields.ts";
import { withRelationChanges, withShownRelations } from "./related.ts";
import { createdRow, type Caller } from "./new-rows.ts";
import {
  fieldsIn,
  find,
  findCard,
  groupsOf,
  has,
  isKind,
  parentKindOf,
  put,
  remove,
  withFields,
  without,
  type Kind,
  type Place,
  type Row,
} from "./rows.ts";
import type { Inputs } from "../router.ts";
import type { BoardView, CardDetail, CardView, Entry, FieldView } from "./types.ts";

/** What changes are shown with: the board, which of its fields have values, and the user. */
type Context = {
  board: BoardView | undefined;
  fields: readonly FieldView[];
  user: Caller | undefined;
};

/** The kind of the row that a change is about, and what it does to it. */
function nameOf({ operation }: Entry): [kind: string, verb: string] {
  const [resource = "", verb = ""] = operation.split(".");
  const name = verb.replace("Item", "");
  return [name === verb ? resource : `${resource}Item`, name === "add" ? "create" : name];
}

/** Whether a change creates a board. */
export const createsBoard = ({ operation }: Pick<Entry, "operation">): boolean =>
  operation === "board.create";

/** Whether an item is completed, by both names of the field. */
function completion(change: Entry): object {
  const { isComplete, completed = isComplete } = fieldsOf(change);
  return completed === undefined ? {} : { isComplete: completed, completed };
}

/** A row with dates, each of which may be a whole day. */
type Dated = {
  dueDate?: string | null;
  isDueAllDay?: boolean;
  startDate?: string | null;
  isStartAllDay?: boolean;
};

/** The dates of a change, and whether they are whole days. */
function datesOf(row: Dated, change: Entry): object {
  const { dueDate, startDate } = fieldsOf(change);
  const dateOf = (date: unknown) => (isWholeDay(date) ? momentOfDate(date) : date);
  const due = { isAllDay: row.isDueAllDay === true, moment: row.dueDate ?? null };
  const start = { isAllDay: row.isStartAllDay === true, moment: row.startDate ?? null };
  return {
    ...(dueDate === undefined
      ? {}
      : { dueDate: dateOf(dueDate), isDueAllDay: isDayAfter(dueDate, due) }),
    ...(startDate === undefined
      ? {}
      : { startDate: dateOf(startDate), isStartAllDay: isDayAfter(startDate, start) }),
  };
}

/** The options that stay, with their changes; the service makes the ids of new ones. */
function optionsOf({ options }: FieldView, { input }: Entry): FieldView["options"] {
  const { options: changes } = input as Inputs["field"]["update"];
  if (changes === undefined) return options;
  return changes.flatMap(({ publicId, ...fields }) => {
    const option = options.find((candidate) => candidate.publicId === publicId);
    return option === undefined ? [] : withFields(option, present(fields));
  });
}

/** What a change sets of a row other than the fields that its input has by the same names. */
function derivedFields(kind: Kind, row: Row, change: Entry, { board, fields }: Context): object {
  if (kind === "checklistItem") return { ...completion(change), ...datesOf(row as Dated, change) };
  if (kind === "checklist") return { items: (row as CardDetail["checklists"][number]).items };
  if (kind === "field") return { options: optionsOf(row as FieldView, change) };
  if (kind !== "card") return {};
  const card = row as CardView;
  const { description } = fieldsOf(change);
  return {
    hasDescription:
      description === undefined ? card.hasDescription : description !== null && description !== "",
    ...datesOf(card, change),
    ...setsOf(card, change, board),
    fields: valuesOf(card.fields, change, fields),
  };
}

/** Where a change puts its row; undefined if it stays where it is. */
function placeOf(root: Row, kind: Kind, change: Entry): Place | undefined {
  const { publicId, input } = change;
  const groups = groupsOf(root, kind);
  const from = groups.find(({ rows }) => has(rows, publicId))?.parent.publicId;
  const target = input[`${parentKindOf(kind)}PublicId`] as string | undefined;
  const parent = target ?? from;
  const fields = fieldsOf(change);
  if (parent === from && !hasPlacement(fields)) return undefined;
  const { rows = [] } = groups.find((group) => group.parent.publicId === parent) ?? {};
  return { parent, index: indexIn(without(rows, publicId), fields) };
}

/** A board or card after a change, as far as it shows before the service has answered. */
function withChange<Root extends Row>(root: Root, change: Pending, context: Context): Root {
  const [kind, verb] = nameOf(change);
  const { publicId, input } = change;
  if (!isKind(kind)) return root;
  if (verb === "delete") return remove(root, kind, publicId);
  const current = find(root, kind, publicId) ?? change.card;
  // After its event, a field has options that the change does not know.
  const isDone = verb === "create" ? current !== undefined : kind === "field" && change.isSeen;
  if (isDone || (verb !== "create" && verb !== "update")) return root;
  const row = current ?? (verb === "create" ? createdRow(kind, change, context.user) : undefined);
  if (row === undefined) return root;
  if (input["isArchived"] === true && publicId !== root.publicId)
    return remove(root, kind, publicId);
  const fields = {
    ...present(fieldsIn(row, input)),
    ...derivedFields(kind, row, change, context),
    publicId,
  };
  return put(root, kind, { ...row, ...fields }, placeOf(root, kind, change));
}

/** By how much a change raises the numbers of comments and items that a board shows of its card. */
function countsOf({ operation, input }: Entry): { comments: number; items: number } {
  const items = (input["items"] ?? []) as string[];
  return {
    comments: operation === "comment.create" ? 1 : operation === "comment.delete" ? -1 : 0,
    items:
      operation === "checklist.addItem" ? 1 : operation === "checklist.create" ? items.length : 0,
  };
}

/** A board whose card has the numbers after a change; its event has them too. */
function counted(board: BoardView, change: Pending): BoardView {
  const { comments, items } = countsOf(change);
  if (change.isSeen || (comments === 0 && items === 0)) return board;
  const { card } = findCard(board, change.cardPublicId ?? "") ?? {};
  if (card === undefined) return board;
  const { publicId, commentCount, checklistItems } = card;
  const counts = {
    publicId,
    commentCount: commentCount + comments,
    checklistItems: { ...checklistItems, total: checklistItems.total + items },
  };
  return put(board, "card", counts);
}

/** A board with the changes that are not confirmed yet, in their order. */
export const withChanges = (board: BoardView, changes: readonly Pending[]): BoardView =>
  changes.reduce((next, change) => {
    const fields = next.fields.filter(({ isShownOnCard }) => isShownOnCard);
    const changed = withChange(next, change, { board: next, fields, user: undefined });
    return withRelationChanges(counted(changed, change), change);
  }, board);

/** A card with the changes that are not confirmed yet, in their order. */
export const withCardChanges = (
  card: CardDetail,
  changes: readonly Pending[],
  { board, user }: Pick<Context, "board" | "user">,
): CardDetail =>
  changes
    .filter(({ cardPublicId }) => cardPublicId === card.publicId)
    .reduce((next, change) => {
      const changed = withChange(next, change, { board, user, fields: board?.fields ?? [] });
      return withShownRelations(changed, change, board);
    }, card);

/** The rows of a workspace with the changes that are not confirmed yet, in their order. */
export const withRowChanges = <Root extends Row>(root: Root, changes: readonly Pending[]): Root =>
  changes.reduce(
    (next, change) => withChange(next, change, { board: undefined, fields: [], user: undefined }),
    root,
  );

/** A board as its create makes it, before the service has answered; undefined without a create. */
export function createdBoard(changes: readonly Entry[]): BoardView | undefined {
  const change = changes.find(createsBoard);
  const board = change && (createdRow("board", change, undefined) as BoardView);
  return board && { ...board, ...fieldsIn(board, change.input) };
}

/** A card that is being created, as boards show it, with what only its create has. */
export function createdCard(board: BoardView, change: Pending): CardDetail | undefined {
  const located = findCard(board, change.publicId);
  if (located === undefined) return undefined;
  const time = timeOf(change);
  const created = aloneWith(located.card, {
    description: fieldsOf(change).description ?? null,
    createdAt: time,
    updatedAt: time,
    listPublicId: located.list.publicId,
    boardPublicId: board.publicId,
    workspacePublicId: board.workspacePublicId,
  });
  return { ...created, commentCount: 0 };
}
