import { filterIssues } from "../../contract/filter/check.ts";
import { sortCards } from "../../contract/filter/compare.ts";
import { filterTest } from "../../contract/filter/evaluate.ts";
import { customFieldId, fieldsWith } from "../../contract/filter/fields.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import { BoardServiceError, type Issue } from "../errors.ts";
import type { Inputs } from "../router.ts";
import { askerOf } from "./askers.ts";
import type { BoardView, CardView } from "./types.ts";

type Query = Inputs["board"]["queryCards"];

/** A filter of cards, as `board.queryCards` takes it. */
export type Filter = NonNullable<Query["filter"]>;
/** The keys of an order, as `board.queryCards` takes them. */
export type SortBy = NonNullable<Query["sortBy"]>;

/** Whose filter it is, and in which order cards come. */
export type FilterOptions = {
  /**
   * The member whom `me` means, by public id: the user of the store that shows the board. Nobody on
   * other boards, such as those that a server has read.
   */
  me?: string | null;
  /** The time zone of days, such as `Europe/Berlin`: of the user, else of the workspace, else UTC. */
  timeZone?: string;
  /** The first day of weeks, that of the workspace: 0 is Sunday. On other boards Monday. */
  weekStartDay?: number;
  /** The time that `now` and `today` mean, in milliseconds since 1970 (now). */
  now?: number;
  /** Up to three keys; by default the cards come list by list, as on the board. */
  sortBy?: SortBy;
};

/** A card that passes a filter, with its list. */
export type FilteredCard = CardView & {
  /** The public id of its list. */
  listPublicId: string;
};

const sortable = new Set(["text", "url", "number", "date"]);
/** The fields of cards that only `card.get` and listings show. */
const notOnBoards = new Set(["createdAt", "updatedAt"]);

type Path = (string | number)[];

const notInCopy = (name: string, path: Path): Issue => ({
  message: `Boards do not show \`${name}\` of cards. Call \`board.queryCards\` for such a filter.`,
  path,
  code: "not_on_board",
});

/** Whether the cards of a board show a field, by which they are filtered or sorted. */
function isOnBoard({ fields }: BoardView, name: string): boolean {
  const field = fields.find(({ publicId }) => publicId === customFieldId(name));
  return !notOnBoards.has(name) && field?.isShownOnCard !== false;
}

/** The conditions on fields that boards do not show. */
function unknownIn(board: BoardView, tree: FilterTree, path: Path): Issue[] {
  const inner = (trees: readonly FilterTree[], group: string) =>
    trees.flatMap((subtree, nth) => unknownIn(board, subtree, [...path, group, nth]));
  if ("and" in tree) return inner(tree.and, "and");
  if ("or" in tree) return inner(tree.or, "or");
  if ("not" in tree) return unknownIn(board, tree.not, [...path, "not"]);
  const { field, op } = tree;
  const isText = field === "description" && op === "contains";
  return isText || !isOnBoard(board, field) ? [notInCopy(field, path)] : [];
}

function sortIssues(board: BoardView, sortBy: SortBy): Issue[] {
  return sortBy.flatMap(({ field: name }, nth) => {
    const path = ["sortBy", nth, "field"];
    if (!isOnBoard(board, name)) return [notInCopy(name, path)];
    if (customFieldId(name) === undefined) return [];
    const field = board.fields.find(({ publicId }) => publicId === customFieldId(name));
    if (field !== undefined && sortable.has(field.type)) return [];
    const message = "The board has no text, url, number or date field with this id.";
    return [{ message, path, code: "invalid_value" }];
  });
}

/**
 * The problems of a filter and an order for the cards of a board: those that the service answers,
 * and `not_on_board` for what boards do not show of cards.
 */
export function checkFilter(
  board: BoardView,
  filter: Filter | undefined,
  { sortBy = [] }: Pick<FilterOptions, "sortBy"> = {},
): Issue[] {
  const issuesOf = (code: string, fields?: ReturnType<typeof fieldsWith>): Issue[] =>
    filter === undefined
      ? []
      : filterIssues(filter, fields).map(({ message, path }) => ({
          message,
          path: ["filter", ...path],
          code,
        }));
  const invalid = issuesOf("custom");
  if (invalid.length > 0) return invalid;
  const issues = [
    ...issuesOf("invalid_value", fieldsWith(board.fields)),
    ...sortIssues(board, sortBy),
  ];
  if (issues.length > 0 || filter === undefined) return issues;
  return unknownIn(board, filter, ["filter"]);
}

/** A condition on the cards of a list. */
type Test = (card: CardView, listPublicId: string) => boolean;

/** The condition of a filter on the cards of a board. Throws what the service answers to an invalid one. */
function testOf(board: BoardView, filter: Filter | undefined, options: FilterOptions): Test {
  const issues = checkFilter(board, filter, options);
  if (issues.length > 0) {
    const failure = { status: 400, code: "BAD_REQUEST", message: "The input is invalid.", issues };
    throw new BoardServiceError(failure);
  }
  if (filter === undefined) return () => true;
  const usual = askerOf(board) ?? { me: null, timeZone: "UTC", weekStartDay: 1 };
  const { me, timeZone, weekStartDay, now } = { now: Date.now(), ...usual, ...options };
  const fields = fieldsWith(board.fields);
  const passes = filterTest(filter, { me, timeZone, weekStartDay, now }, fields);
  const { publicId: boardPublicId } = board;
  const names = new Map(board.lists.map(({ publicId, name }) => [publicId, name]));
  return (card, listPublicId) =>
    passes({ ...card, listPublicId, listName: names.get(listPublicId) ?? null, boardPublicId });
}

/**
 * The cards of a board that pass a filter, as `board.queryCards` selects and sorts them.
 *
 * Throws what the service answers to an invalid filter.
 */
export function filterCards(
  board: BoardView,
  filter: Filter | undefined,
  options: FilterOptions = {},
): FilteredCard[] {
  const passes = testOf(board, filter, options);
  const cards = board.lists.flatMap(({ publicId: listPublicId, cards: ofList }) =>
    ofList.flatMap((card) => (passes(card, listPublicId) ? { ...card, listPublicId } : [])),
  );
  const { sortBy } = options;
  return sortBy === undefined ? cards : sortCards(cards, sortBy, fieldsWith(board.fields));
}

/**
 * A board with those of its cards that pass a filter, list by list.
 *
 * Lists whose cards all pass stay the same objects. Throws what the service answers to an invalid
 * filter.
 */
export function filterBoard(
  board: BoardView,
  filter: Filter | ((card: CardView) => boolean) | undefined,
  options: Omit<FilterOptions, "sortBy"> = {},
): BoardView {
  const passes: Test = typeof filter === "function" ? filter : testOf(board, filter, options);
  const lists = board.lists.map((list) => {
    const cards = list.cards.filter((card) => passes(card, list.publicId));
    return cards.length === list.cards.length ? list : { ...list, cards };
  });
  return { ...board, lists };
}
