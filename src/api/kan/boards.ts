import type { z } from "zod";
import { BoardEntry, BoardSummary, BoardWithCursor } from "../../contract/resources/boards.ts";
import { ListRef } from "../../contract/resources/lists.ts";
import { badRequest } from "../../platform/errors.ts";
import { readDetails, type BoardDetails, type CardDetails } from "./board-details.ts";
import { Refused, type RestCalls } from "./rest-calls.ts";
import { Anything, assigneeOf, checklistOf, memberOf, named, numberOf } from "./shapes.ts";

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

/** Creates a board. A copy has the lists and labels of its source, which clients send as none. */
export async function createBoard(calls: RestCalls) {
  const { lists, labels, ...others } = await calls.body();
  const isCopy = others["sourceBoardPublicId"] !== undefined;
  const body = isCopy ? others : { ...others, lists, labels };
  const Created = BoardSummary.pick({ publicId: true, name: true, slug: true, visibility: true });
  return calls.send("POST", Created, boardsPath, body);
}

export async function updateBoard(calls: RestCalls) {
  const { isFavorite, ...body } = await calls.body();
  const given = isFavorite === undefined ? body : { isFavourite: isFavorite, ...body };
  const board = await calls.send("PUT", BoardSummary, boardPath, given);
  return { ...board, favorite: board.isFavourite, success: true };
}

export async function moveBoard(calls: RestCalls) {
  const { targetWorkspacePublicId, ...body } = await calls.body();
  const to = { workspacePublicId: targetWorkspacePublicId, ...body };
  await calls.send("POST", Anything, `${boardPath}/move`, to);
  return { success: true };
}

/** Adds a list at the end: a number is no position that a list can be added at. */
export async function createList(calls: RestCalls) {
  const { position, ...body } = await calls.body();
  const given = typeof position === "number" ? body : { ...body, position };
  return calls.send("POST", ListRef, "/lists", given);
}

/** A board with its cards. */
export const getBoard = async (calls: RestCalls) => showBoard(calls, boardPath);

/** A board of a workspace by its slug; a public one for everybody. */
export async function getBoardBySlug(calls: RestCalls) {
  const slug = calls.id("boardSlug").toLowerCase();
  try {
    const boards = await calls.readAll(BoardEntry, boardsPath);
    const board = boards.find((one) => one.slug.toLowerCase() === slug);
    if (board !== undefined) return await showBoard(calls, `/boards/${board.publicId}`);
  } catch (error) {
    if (!(error instanceof Refused) || ![401, 403].includes(error.response.status)) throw error;
  }
  const path = "/workspaces-by-slug/{workspacePublicId}/boards/{boardSlug}";
  return calls.read(Anything, path);
}

/** The periods of due dates that both services have. */
const periods = new Map([
  ["overdue", "overdue"],
  ["today", "today"],
  ["tomorrow", "tomorrow"],
  ["no-due-date", "none"],
]);

/** The queries of a board that together show the cards that pass the filters. */
function queriesOf(given: URLSearchParams): URLSearchParams[] {
  const filters = ["members", "labels", "lists"].flatMap((name): [string, string][] => {
    const ids = given
      .getAll(name)
      .concat(given.getAll(`${name}[]`))
      .join();
    return ids === "" ? [] : [[name, ids]];
  });
  const dues = new Set(given.getAll("dueDateFilters").flatMap((text) => text.split(",")));
  if (dues.size === 0) return [new URLSearchParams(filters)];
  return [...dues].map((due) => {
    const period = periods.get(due);
    if (period === undefined) {
      const known = [...periods.keys()].join(", ");
      throw badRequest("invalid_value", `Must be of ${known}`, ["dueDateFilters"]);
    }
    return new URLSearchParams([...filters, ["due", period]]);
  });
}

async function showBoard(calls: RestCalls, path: string) {
  const queries = queriesOf(calls.query);
  const [board, ...others] = await Promise.all(
    queries.map((query) => calls.read(BoardWithCursor, path, query)),
  );
  if (board === undefined) throw new Error("A board is read at least once.");
  const isFiltered = [...(queries[0] ?? [])].length > 0;
  const [details, favorite, whole] = await Promise.all([
    readDetails(calls, board),
    isFavourite(calls, board),
    isFiltered ? calls.read(BoardWithCursor, path, { cardLimit: "1" }) : board,
  ]);
  const cardsOf = (listId: string) =>
    [board, ...others]
      .flatMap(({ lists }) => lists.filter(({ publicId }) => publicId === listId))
      .flatMap(({ cards }) => cards)
      .toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
  const { publicId: _, cursor: _cursor, lists, ...shown } = board;
  return {
    publicId: board.publicId,
    ...shown,
    favorite,
    workspace: {
      publicId: board.workspacePublicId,
      name: details.workspace?.name ?? "",
      slug: details.workspace?.slug ?? "",
      cardPrefix: details.workspace?.cardPrefix ?? "",
      members: details.members.map(memberOf),
    },
    lists: lists.map((list) => ({
      ...named(list),
      index: whole.lists.findIndex(({ publicId }) => publicId === list.publicId),
      cards: cardsOf(list.publicId).map((card) => cardOf(card, list.publicId, details)),
    })),
    allLists: whole.lists.map(named),
  };
}

/** Whether the caller has a board among the favourites. A key for one board cannot know. */
async function isFavourite(calls: RestCalls, { publicId, workspacePublicId }: Board) {
  const path = `/workspaces/${workspacePublicId}/boards`;
  try {
    const boards = await calls.readAll(BoardEntry, path, { favourite: "true" });
    return boards.some((board) => board.publicId === publicId);
  } catch (error) {
    if (error instanceof Refused && error.response.status === 403) return false;
    throw error;
  }
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
