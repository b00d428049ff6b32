import { sortNames } from "../../../contract/filter/sort.ts";
import type { inferProcedureInput } from "@trpc/server";
import { listBoardCards } from "../../../domain/boards/cards.ts";
import { getBoard } from "../../../domain/boards/get.ts";
import { listBoardMembers } from "../../../domain/boards/members.ts";
import { getCard } from "../../../domain/cards/get.ts";
import { listComments } from "../../../domain/comments/list.ts";
import { myCards } from "../../../domain/users/cards.ts";
import { viewCards } from "../../../domain/views/cards.ts";
import { listViews } from "../../../domain/views/list.ts";
import { listWorkspaces } from "../../../domain/workspaces/list.ts";
import { searchWorkspace } from "../../../domain/workspaces/search.ts";
import * as arg from "../arguments.ts";
import { filterByIds, valuesShown } from "../custom-fields.ts";
import { cardLine, cardLines, commentLines } from "../show.ts";
import { z } from "zod";
import { pick } from "../pick.ts";
import { cardCount } from "./count.ts";
import { pageOfItems, pageOfLines, quoted } from "../text.ts";
import type { Session } from "../session.ts";
import { reads } from "../tool.ts";

import {
  filterOf,
  filters,
  finding,
  findingCards,
  limit,
  onePage,
  withArchived,
} from "./filters.ts";
const cardList = reads(
  {
    name: "card_list",
    title: "List cards",
    group: "read",
    description: "Lists the cards of a board that pass all filters, in pages.",
    procedures: [listBoardCards, ...finding],
    input: {
      board: arg.Board,
      ...filters,
      filter: arg.Filter.describe(
        'A tree by names: {"and": [{"field": "list", "op": "is", "value": "Doing"}, {"field": ' +
          '"dueDate", "op": "within", "value": "thisWeek"}]}; or, not; isNot, isAnyOf, isNoneOf, ' +
          "isEmpty, isNotEmpty, lt, lte, gt, gte, contains; fields list, board, labels, members, " +
          "claim, priority, title, fields.Size.",
      ),
      ...withArchived,
      sort: z.enum(sortNames).optional(),
      cursor: arg.Cursor,
    },
  },
  async (
    { session, find },
    { board: boardName, sort = "position", cursor, archived: all = false, filter, ...short },
  ) => {
    const board = await find.board(boardName);
    const chosen = {
      ...(await filterOf(find, board.publicId, short)),
      filter: filter && (await filterByIds(find, board.publicId, filter)),
      archived: all,
    };
    const contents = await find.contents(board.publicId);
    const values = await valuesShown(find, contents);
    const nameOf = new Map(contents.lists.map(({ publicId, name }) => [publicId, name]));
    const input = { boardPublicId: board.publicId, sort, limit, ...chosen };
    return pageOfItems({
      cursor,
      read: (after) => session.read(listBoardCards, { ...input, cursor: after }),
      show: (card) =>
        cardLine(card, { now: session.now, list: nameOf.get(card.listPublicId) ?? "", values }),
      none: "No card passes the filters.",
    });
  },
);

/** The comments of a card, oldest first: a page is read when the text gets to it. */
async function* commentsOf(session: Session, cardPublicId: string) {
  for (let after: string | null | undefined; after !== null;) {
    const input: inferProcedureInput<typeof listComments> = {
      cardPublicId,
      limit: 100,
      cursor: after,
    };
    const page = await session.read(listComments, input);
    for (const comment of page.items) yield* commentLines(comment);
    after = page.nextCursor;
  }
}

const cardGet = reads(
  {
    name: "card_get",
    title: "Read a card",
    group: "read",
    description:
      "Shows a card: fields, description, checklists, relations, files, version, comments.",
    procedures: [getCard, listComments, getBoard, listBoardMembers, ...findingCards],
    input: { card: arg.Card, cursor: arg.Cursor },
  },
  async ({ session, find }, { card: number, cursor }) => {
    const card = await find.card(number);
    const contents = await find.contents(card.boardPublicId);
    const { name: board, lists } = contents;
    const values = await valuesShown(find, contents);
    const list = lists.find(({ publicId }) => publicId === card.listPublicId)?.name ?? "";
    async function* lines() {
      yield* cardLines(card, { now: session.now, list, board, values });
      if (card.commentCount === 0) return;
      yield* commentsOf(session, card.publicId);
    }
    return pageOfLines(lines(), cursor);
  },
);

const cardSearch = reads(
  {
    name: "card_search",
    title: "Search",
    group: "read",
    description: "Finds boards, cards and comments of a workspace by words, best matches first.",
    procedures: [searchWorkspace, ...finding],
    input: {
      query: z.string().describe("All words must match."),
      workspace: arg.Workspace,
      board: arg.Board,
      cursor: arg.Cursor,
    },
  },
  async ({ session, find }, { query, workspace, board, cursor }) => {
    const input = { ...(await find.scope(workspace, board)), query, limit };
    return pageOfItems({
      cursor,
      read: (after) => session.read(searchWorkspace, { ...input, cursor: after }),
      show: ({ type, cardNumber, title, excerpt, boardName }) =>
        [
          `- ${type} ${[cardNumber ?? "", quoted(title, 60)].join(" ").trim()}`,
          `board ${quoted(boardName, 20)}`,
          ...(excerpt === "" ? [] : [quoted(excerpt, 80)]),
        ].join("; "),
      none: "Nothing matches.",
    });
  },
);

const cardMine = reads(
  {
    name: "card_mine",
    title: "List your cards",
    group: "read",
    description: "Lists the cards assigned to you in all workspaces, soonest due first.",
    procedures: [myCards, listWorkspaces],
    input: { due: arg.DueIn.optional(), workspace: arg.Workspace, cursor: arg.Cursor },
  },
  async ({ session, find }, { due, workspace, cursor }) => {
    const workspacePublicId =
      workspace === undefined ? undefined : (await find.workspace(workspace)).publicId;
    const input = { limit, due, workspacePublicId };
    return pageOfItems({
      cursor,
      read: (after) => session.read(myCards, { ...input, cursor: after }),
      show: (card) => cardLine(card, session),
      none: "No card is assigned to you.",
    });
  },
);

const viewList = reads(
  {
    name: "view_list",
    title: "List views",
    group: "read",
    description: "Lists the saved views of a workspace, or the cards of one view.",
    procedures: [listViews, viewCards, listWorkspaces],
    input: {
      view: z.string().describe("Name or id.").optional(),
      workspace: arg.Workspace,
      cursor: arg.Cursor,
    },
  },
  async ({ session, find }, { view: viewName, workspace, cursor }) => {
    const { publicId: workspacePublicId } = await find.workspace(workspace);
    const views = await session.read(listViews, { workspacePublicId });
    if (viewName === undefined) {
      return pageOfItems({
        cursor,
        read: async (after) => onePage(views, after),
        show: ({ name, publicId, scope, isBroken }) =>
          `- ${quoted(name)}; id ${publicId}; ${scope}${isBroken ? "; broken in part" : ""}`,
        none: "There is no view.",
      });
    }
    const { publicId: viewPublicId } = pick("view", viewName, views, ({ name }) => [name]);
    const input = { viewPublicId, limit };
    return pageOfItems({
      cursor,
      read: (after) => session.read(viewCards, { ...input, cursor: after }),
      show: (card) => cardLine(card, session),
      none: "No card is in the view.",
    });
  },
);

/** The tools that read cards. */
export const cardReadTools = [cardList, cardCount, cardGet, cardSearch, cardMine, viewList];
