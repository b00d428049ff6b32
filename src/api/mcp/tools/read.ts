import { listEvents } from "../../../outbound/stream/feed.ts";
import { getBoard } from "../../../domain/boards/get.ts";
import { listBoards } from "../../../domain/boards/list.ts";
import { listBoardMembers } from "../../../domain/boards/members.ts";
import { listWorkspaces } from "../../../domain/workspaces/list.ts";
import * as arg from "../arguments.ts";
import { fieldLines, valuesShown } from "../custom-fields.ts";
import type { Find } from "../find.ts";
import { cardLine, eventLine } from "../show.ts";
import { pageOfItems, pageOfLines, quoted } from "../text.ts";
import type { Session } from "../session.ts";
import { LoopTurns } from "../../../platform/loop-turns.ts";
import { reads } from "../tool.ts";

import { filterOf, filters, finding, limit, onePage, withArchived } from "./filters.ts";
import { cardReadTools } from "./read-cards.ts";
const workspaceList = reads(
  {
    name: "workspace_list",
    title: "List workspaces",
    group: "read",
    description: "Lists your workspaces with your role and the prefix of their card numbers.",
    procedures: [listWorkspaces],
    input: { cursor: arg.Cursor },
  },
  async ({ find }, { cursor }) => {
    const workspaces = await find.workspaces();
    return pageOfItems({
      cursor,
      read: async (after) => onePage(workspaces, after),
      show: ({ name, publicId, slug, cardPrefix }) =>
        `- ${quoted(name)}; id ${publicId}; slug ${slug}; cards ${cardPrefix}-1`,
      none: "You are in no workspace.",
    });
  },
);

const boardList = reads(
  {
    name: "board_list",
    title: "List boards",
    group: "read",
    description: "Lists the boards of a workspace that you can see.",
    procedures: [listBoards, listWorkspaces],
    input: { workspace: arg.Workspace, archived: arg.Archived, cursor: arg.Cursor },
  },
  async ({ session, find }, { workspace, archived = false, cursor }) => {
    const { publicId: workspacePublicId } = await find.workspace(workspace);
    return pageOfItems({
      cursor,
      read: (after) =>
        session.read(listBoards, { workspacePublicId, archived, limit, cursor: after }),
      show: ({ name, publicId, listCount, version, description }) =>
        `- ${quoted(name)}; id ${publicId}; ${listCount} lists; version ${version}` +
        (description === null ? "" : `; ${quoted(description, 60)}`),
      none: "There is no board.",
    });
  },
);

/** How many cards of each list the text of a board shows. */
const cardLimit = 50;

/** How many cards are read at a time, of one list at least: what follows may never be asked for. */
const cardsPerRead = 500;

/** Divides lists into parts that are read at a time. */
function partsOf<List extends { cardCount: number }>(lists: readonly List[]): List[][] {
  const parts: List[][] = [];
  let cards = Infinity;
  for (const list of lists) {
    const count = Math.min(list.cardCount, cardLimit);
    cards += count;
    if (cards <= cardsPerRead) parts.at(-1)?.push(list);
    else {
      parts.push([list]);
      cards = count;
    }
  }
  return parts;
}

/** A board as text: its lists, each with its cards. */
async function* boardLines(
  { session, find }: { session: Session; find: Find },
  boardPublicId: string,
  filter: { lists?: string[] | undefined; archived: boolean },
) {
  const board = await find.contents(boardPublicId);
  const { name, publicId, description, labels, version, isArchived } = board;
  yield `board ${quoted(name)}; id ${publicId}; version ${version}${isArchived ? "; archived" : ""}`;
  if (description !== null) yield `description: ${quoted(description, 400)}`;
  if (labels.length > 0)
    yield `labels: ${labels.map((label) => quoted(label.name, 20)).join(", ")}`;
  yield* fieldLines(board);
  const values = await valuesShown(find, board);
  const turns = new LoopTurns();
  const lists = board.lists
    .filter((list) => filter.lists?.includes(list.publicId) ?? true)
    .filter((list) => filter.archived || !list.isArchived);
  for (const part of partsOf(lists)) {
    const named = { lists: part.map((list) => list.publicId) };
    const read = await session.read(getBoard, { boardPublicId, cardLimit, ...filter, ...named });
    for (const list of read.lists) {
      const unlisted = list.cardCount - list.cards.length;
      const mode = list.wipMode === "warn" ? "" : ` (${list.wipMode})`;
      const wip = list.wipLimit === null ? "" : `, limit ${list.wipLimit}${mode}`;
      const count = `${list.cardCount} cards${wip}${list.isArchived ? ", archived" : ""}`;
      yield `list ${quoted(list.name)} (${count}):`;
      for (const card of list.cards) {
        await turns.next();
        yield cardLine(card, { now: session.now, values });
      }
      if (unlisted > 0) yield `- and ${unlisted} more: use card_list with this list`;
    }
  }
}

const boardGet = reads(
  {
    name: "board_get",
    title: "Read a board",
    group: "read",
    description:
      "Shows a board as text: labels, custom fields, and lists with their first 50 cards in " +
      "order. Filters choose cards.",
    procedures: [getBoard, ...finding],
    input: {
      board: arg.Board,
      workspace: arg.Workspace,
      ...filters,
      ...withArchived,
      cursor: arg.Cursor,
    },
  },
  async (
    { session, find },
    { board: boardName, workspace, cursor, archived: all = false, ...filter },
  ) => {
    const board = await find.board(boardName, workspace);
    const chosen = { ...(await filterOf(find, board.publicId, filter)), archived: all };
    return pageOfLines(boardLines({ session, find }, board.publicId, chosen), cursor);
  },
);

const memberList = reads(
  {
    name: "member_list",
    title: "List members of a board",
    group: "read",
    description: "Lists the members who see a board: cards can be assigned to them.",
    procedures: [listBoardMembers, ...finding],
    input: { board: arg.Board, cursor: arg.Cursor },
  },
  async ({ session, find }, { board, cursor }) => {
    const { publicId: boardPublicId } = await find.board(board);
    return pageOfItems({
      cursor,
      read: (after) => session.read(listBoardMembers, { boardPublicId, limit, cursor: after }),
      show: ({ name, publicId, role }) =>
        `- ${quoted(name, 40)}; id ${publicId}; ${quoted(role, 20)}`,
      none: "The board has no members.",
    });
  },
);

const changeList = reads(
  {
    name: "change_list",
    title: "List changes",
    group: "read",
    description:
      "Lists what changed since a cursor, oldest first. Without a cursor it starts at the oldest " +
      "stored event, with `now` at this moment.",
    procedures: [listEvents, ...finding],
    input: { workspace: arg.Workspace, board: arg.Board, cursor: arg.Cursor },
  },
  async ({ session, find }, { workspace, board, cursor }) => {
    const input = { ...(await find.scope(workspace, board)), limit };
    return pageOfItems({
      cursor,
      read: (after) => session.read(listEvents, { ...input, cursor: after }),
      show: eventLine,
      none: "Nothing has changed.",
      later: (next) => `Later changes: cursor ${JSON.stringify(next)}.`,
    });
  },
);

/** The tools that read. */
export const readTools = [
  workspaceList,
  boardList,
  boardGet,
  ...cardReadTools,
  memberList,
  changeList,
];
