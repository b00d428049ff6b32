import type { FilterTree } from "../../contract/filter/tree.ts";
import { z } from "zod";
import { BoardEntry, BoardSummary, BoardWithCursor } from "../../contract/resources/boards.ts";
import { ListRef } from "../../contract/resources/lists.ts";
import { badRequest } from "../../platform/errors.ts";
import { readDetails, type BoardDetails, type CardDetails } from "./board-details.ts";
import { ifAllowed, type RestCalls } from "./rest-calls.ts";
import { checkSlug } from "./slugs.ts";
import { Anything, assigneeOf, checklistOf, memberOf, nameRefOf, numberOf } from "./shapes.ts";

type Board = z.infer<typeof BoardWithCursor>;
type CardEntry = Board["lists"][number]["cards"][number];

const boardPath = "/boards/{boardPublicId}";
const boardsPath = "/workspaces/{workspacePublicId}/boards";

/** The boards of a workspace in one array, with their lists and labels. */
export async function listBoards(calls: RestCalls) {
  const filter = { type: calls.query.get("type"), archived: calls.query.get("archived") };
  const boards = await calls.readAll(BoardEntry, boardsPath, { ...filter, withLists: "true" });
  return boards.map(({ lists = [], labels = [], ...board }) => ({
    ...board,
    favorite: board.isFavourite,
    lists,
    labels,
  }));
}

/** Creates a board. For a copy, the empty lists and labels that clients send are ignored. */
export async function createBoard(calls: RestCalls) {
  const { lists, labels, ...others } = await calls.body();
  const isCopy = others["sourceBoardPublicId"] !== undefined;
  const body = isCopy ? others : { ...others, lists, labels: withColours(labels) };
  const Created = BoardSummary.pick({ publicId: true, name: true, slug: true, visibility: true });
  return calls.send("POST", Created, boardsPath, body);
}

/** The colours that Kan gives to labels which are made by name, in turn. */
const colours = [
  "#0d9488",
  "#65a30d",
  "#0284c7",
  "#4f46e5",
  "#ca8a04",
  "#ea580c",
  "#dc2626",
  "#db2777",
];

/** Labels with a colour each, where only names are given. */
const withColours = (labels: unknown): unknown =>
  Array.isArray(labels)
    ? labels.map((name: unknown, nth) => {
        return typeof name === "string"
          ? { name, colourCode: colours[nth % colours.length] }
          : name;
      })
    : labels;

/** Whether a board may have a slug. Kan calls those of other boards reserved. */
export async function checkBoardSlug(calls: RestCalls) {
  const { isAvailable } = await checkSlug(
    calls,
    `${boardPath}/check-slug-availability`,
    "boardSlug",
  );
  return { isAvailable, isReserved: !isAvailable };
}

export async function updateBoard(calls: RestCalls) {
  const { isFavorite, ...body } = await calls.body();
  const input = isFavorite === undefined ? body : { isFavourite: isFavorite, ...body };
  const board = await calls.send("PUT", BoardSummary, boardPath, input);
  return { ...board, favorite: board.isFavourite, success: true };
}

export async function moveBoard(calls: RestCalls) {
  const { targetWorkspacePublicId, ...body } = await calls.body();
  const to = { workspacePublicId: targetWorkspacePublicId, ...body };
  await calls.send("POST", Anything, `${boardPath}/move`, to);
  return { success: true };
}

/** Adds a list at the end: numeric positions are ignored. */
export async function createList(calls: RestCalls) {
  const { position, ...body } = await calls.body();
  const input = typeof position === "number" ? body : { ...body, position };
  return calls.send("POST", ListRef, "/lists", input);
}

/** A board with its cards. */
export const getBoard = async (calls: RestCalls) => showBoard(calls, boardPath);

/** A board of a workspace by its slug; a public one for everybody. */
export async function getBoardBySlug(calls: RestCalls) {
  const slug = calls.id("boardSlug").toLowerCase();
  const path = "/workspaces-by-slug/{workspacePublicId}/boards/{boardSlug}";
  const showOwn = async () => {
    for (const archived of ["false", "true"]) {
      const boards = await calls.readAll(BoardEntry, boardsPath, { archived });
      const board = boards.find((entry) => entry.slug.toLowerCase() === slug);
      if (board !== undefined) return showBoard(calls, `/boards/${board.publicId}`);
    }
    return undefined;
  };
  return (await ifAllowed(showOwn(), [401, 403])) ?? calls.read(Anything, path);
}

/** The periods of due dates that both services have. */
const periods = new Map([
  ["overdue", "overdue"],
  ["today", "today"],
  ["tomorrow", "tomorrow"],
  ["no-due-date", "none"],
]);

const dueWithin = (value: string): FilterTree => ({ field: "dueDate", op: "within", value });
/** The periods of Kan alone, as filters. */
const ranges = new Map<string, FilterTree>([
  ["next-week", dueWithin("next 8 days")],
  ["next-month", { and: [dueWithin("next 31 days"), { not: dueWithin("next 8 days") }] }],
]);

/** The queries of a board that together show the cards that pass the filters. */
function queriesOf(parameters: URLSearchParams): URLSearchParams[] {
  const filters = ["members", "labels", "lists"].flatMap((name): [string, string][] => {
    const ids = parameters
      .getAll(name)
      .concat(parameters.getAll(`${name}[]`))
      .join();
    return ids === "" ? [] : [[name, ids]];
  });
  const dues = new Set(parameters.getAll("dueDateFilters").flatMap((text) => text.split(",")));
  if (dues.size === 0) return [new URLSearchParams(filters)];
  return [...dues].map((due) => {
    const range = ranges.get(due);
    if (range !== undefined)
      return new URLSearchParams([...filters, ["filter", JSON.stringify(range)]]);
    const period = periods.get(due);
    if (period === undefined) {
      const names = [...periods.keys(), ...ranges.keys()].join(", ");
      throw badRequest("invalid_value", `Must be of ${names}`, ["dueDateFilters"]);
    }
    return new URLSearchParams([...filters, ["due", period]]);
  });
}

const ListWithCards = BoardWithCursor.shape.lists.element;
const CardEntry = ListWithCards.shape.cards.element;
/** A board whose cards are not validated with it: there may be thousands. */
const Outline = BoardWithCursor.extend({
  lists: z.array(ListWithCards.extend({ cards: z.array(z.unknown()) })),
});

/** Reads a board; its cards are validated in turns of the event loop. */
async function readBoard(
  calls: RestCalls,
  path: string,
  query: Parameters<RestCalls["read"]>[2],
): Promise<Board> {
  const { lists: outlines, ...board } = await calls.read(Outline, path, query);
  const lists: Board["lists"] = [];
  for (const { cards: input, ...list } of outlines) {
    const cards: CardEntry[] = [];
    for (const card of input) {
      await calls.turns.next();
      cards.push(CardEntry.parse(card));
    }
    lists.push({ ...list, cards });
  }
  return { ...board, lists };
}

async function showBoard(calls: RestCalls, path: string) {
  const queries = queriesOf(calls.query);
  const boards = await Promise.all(queries.map((query) => readBoard(calls, path, query)));
  const [board] = boards;
  if (board === undefined) throw new Error("A board is read at least once.");
  const isFiltered = [...(queries[0] ?? [])].length > 0;
  const [details, favorite, whole] = await Promise.all([
    readDetails(calls, board),
    isFavourite(calls, board),
    isFiltered ? readBoard(calls, path, { cardLimit: "1" }) : board,
  ]);
  const cardsOf = async (listId: string) => {
    const cards = boards.flatMap(({ lists }) =>
      lists.flatMap((list) => (list.publicId === listId ? list.cards : [])),
    );
    // Periods may have cards in common.
    const each = [...new Map(cards.map((card) => [card.publicId, card])).values()].toSorted(
      (one, other) => (one.index ?? 0) - (other.index ?? 0),
    );
    const shown = [];
    for (const card of each) {
      await calls.turns.next();
      shown.push(cardOf(card, listId, details));
    }
    return shown;
  };
  const { publicId: _, cursor: _cursor, lists, ...fields } = board;
  const shownLists = [];
  for (const list of lists) {
    const index = whole.lists.findIndex(({ publicId }) => publicId === list.publicId);
    shownLists.push({ ...nameRefOf(list), index, cards: await cardsOf(list.publicId) });
  }
  return {
    publicId: board.publicId,
    ...fields,
    favorite,
    workspace: {
      publicId: board.workspacePublicId,
      name: details.workspace?.name ?? "",
      slug: details.workspace?.slug ?? "",
      cardPrefix: details.workspace?.cardPrefix ?? "",
      members: details.members.map(memberOf),
    },
    lists: shownLists,
    allLists: whole.lists.map(nameRefOf),
  };
}

/** Whether the caller has a board among the favourites. A key for one board cannot know. */
async function isFavourite(calls: RestCalls, { publicId, workspacePublicId, isArchived }: Board) {
  const path = `/workspaces/${workspacePublicId}/boards`;
  const favourites = { favourite: "true", archived: String(isArchived) };
  const boards = await ifAllowed(calls.readAll(BoardEntry, path, favourites));
  return boards?.some((board) => board.publicId === publicId) ?? false;
}

const noDetails: CardDetails = { description: null, checklists: [], attachments: [], comments: [] };

function cardOf(card: CardEntry, listPublicId: string, { cards, addresses }: BoardDetails) {
  const { publicId, title, index, cardNumber, dueDate, labels, members } = card;
  const details = cards.get(publicId) ?? noDetails;
  return {
    publicId,
    title,
    description: details.description,
    index: index ?? 0,
    listPublicId,
    cardNumber: numberOf(cardNumber),
    dueDate,
    labels,
    members: members.map(assigneeOf(addresses)),
    attachments: details.attachments,
    checklists: details.checklists.map(checklistOf),
    comments: details.comments,
  };
}
