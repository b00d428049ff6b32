import { listEvents } from "../../../outbound/stream/feed.ts";
import { listBoardCards } from "../../../domain/boards/cards.ts";
import { getBoard } from "../../../domain/boards/get.ts";
import { listBoards } from "../../../domain/boards/list.ts";
import { listBoardMembers } from "../../../domain/boards/members.ts";
import { getCardByNumber } from "../../../domain/cards/get-by-number.ts";
import { getCard } from "../../../domain/cards/get.ts";
import { listComments } from "../../../domain/comments/list.ts";
import { getList } from "../../../domain/lists/get.ts";
import { myCards } from "../../../domain/users/cards.ts";
import { viewCards } from "../../../domain/views/cards.ts";
import { listViews } from "../../../domain/views/list.ts";
import { getWorkspace } from "../../../domain/workspaces/get.ts";
import { listWorkspaces } from "../../../domain/workspaces/list.ts";
import { searchWorkspace } from "../../../domain/workspaces/search.ts";
import * as arg from "../arguments.ts";
import { fieldLines, filterByIds, valuesShown } from "../fields.ts";
import type { Find } from "../find.ts";
import { cardLine, cardLines, commentLines, eventLine } from "../show.ts";
import { z } from "zod";
import { pick } from "../pick.ts";
import { notACursor, pageOfItems, pageOfLines, quoted } from "../text.ts";
import type { Session } from "../session.ts";
import { reads } from "../tool.ts";

/** What finding a board, a list, a label or a member by its name may call. */
export const finding = [
  listWorkspaces,
  listBoards,
  getBoard,
  getList,
  listBoardMembers,
  getWorkspace,
];
/** What finding a card by its number or id may call. */
export const findingCards = [listWorkspaces, getCardByNumber, getCard];

/** So many cards of each list are on the text of a board. */
const cardLimit = 50;
const limit = 50;

/** The filters of cards, by names. */
export const filters = {
  list: arg.List.optional(),
  label: z.string().optional(),
  member: z.string().describe("Name, or me.").optional(),
  due: arg.DueIn.optional(),
  priority: arg.Priority.optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;
const withArchived = { archived: arg.Archived };

/** The filters of an operation on a board, with ids. */
export async function filterOf(
  find: Find,
  boardPublicId: string,
  { list, label, member, due, priority }: Filters,
) {
  const lists =
    list === undefined ? undefined : [(await find.listOf(boardPublicId, list)).publicId];
  const labels = await find.labels(boardPublicId, label === undefined ? undefined : [label]);
  const members = await find.members(boardPublicId, member === undefined ? undefined : [member]);
  return {
    ...(lists === undefined ? {} : { lists }),
    ...(labels === undefined ? {} : { labels }),
    ...(members === undefined ? {} : { members }),
    ...(due === undefined ? {} : { due }),
    ...(priority === undefined ? {} : { priority: [priority] }),
  };
}

/** The cursor of a page as an input. */
const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

/** The only page of items. */
function onePage<Item>(items: Item[], after: string | undefined) {
  if (after !== undefined) throw notACursor();
  return { items, nextCursor: null };
}

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
      read: async (after) =>
        (await session.run(listBoards, { workspacePublicId, archived, limit, ...from(after) }))
          .output,
      show: ({ name, publicId, listCount, version, description }) =>
        `- ${quoted(name)}; id ${publicId}; ${listCount} lists; version ${version}` +
        (description === null ? "" : `; ${quoted(description, 60)}`),
      none: "There is no board.",
    });
  },
);

/** A board as text: its lists, each with its cards. */
async function* boardLines(
  { session, find }: { session: Session; find: Find },
  boardPublicId: string,
  filter: object,
) {
  const { output } = await session.run(getBoard, { boardPublicId, cardLimit, ...filter });
  const { name, publicId, description, labels, lists, version, isArchived } = output;
  yield `board ${quoted(name)}; id ${publicId}; version ${version}${isArchived ? "; archived" : ""}`;
  if (description !== null) yield `description: ${quoted(description, 400)}`;
  if (labels.length > 0)
    yield `labels: ${labels.map((label) => quoted(label.name, 20)).join(", ")}`;
  yield* fieldLines(output);
  const values = await valuesShown(find, output);
  for (const list of lists) {
    const rest = list.cardCount - list.cards.length;
    const mode = list.wipMode === "warn" ? "" : ` (${list.wipMode})`;
    const wip = list.wipLimit === null ? "" : `, limit ${list.wipLimit}${mode}`;
    const count = `${list.cardCount} cards${wip}${list.isArchived ? ", archived" : ""}`;
    yield `list ${quoted(list.name)} (${count}):`;
    for (const card of list.cards) yield cardLine(card, undefined, values);
    if (rest > 0) yield `- and ${rest} more: use card_list with this list`;
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
    { board: named, workspace, cursor, archived: all = false, ...filter },
  ) => {
    const board = await find.board(named, workspace);
    const chosen = { ...(await filterOf(find, board.publicId, filter)), archived: all };
    return pageOfLines(boardLines({ session, find }, board.publicId, chosen), cursor);
  },
);

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
      filter: z
        .record(z.string(), z.unknown())
        .describe(
          'A tree by names: {"and": [{"field": "fields.Size", "op": "is", "value": "L"}, {"field": ' +
            '"dueDate", "op": "within", "value": "thisWeek"}]}; or, not; isNot, isAnyOf, isNoneOf, ' +
            "isEmpty, isNotEmpty, lt, lte, gt, gte, contains.",
        )
        .optional(),
      ...withArchived,
      sort: z.enum(["position", "priority", "dueDate", "createdAt", "updatedAt"]).optional(),
      cursor: arg.Cursor,
    },
  },
  async (
    { session, find },
    { board: named, sort = "position", cursor, archived: all = false, filter, ...short },
  ) => {
    const board = await find.board(named);
    const chosen = {
      ...(await filterOf(find, board.publicId, short)),
      ...(filter === undefined ? {} : { filter: await filterByIds(find, board.publicId, filter) }),
      archived: all,
    };
    const contents = await find.contents(board.publicId);
    const values = await valuesShown(find, contents);
    const nameOf = new Map(contents.lists.map(({ publicId, name }) => [publicId, name]));
    const input = { boardPublicId: board.publicId, sort, limit, ...chosen };
    return pageOfItems({
      cursor,
      read: async (after) =>
        (await session.run(listBoardCards, { ...input, ...from(after) })).output,
      show: (card) => cardLine(card, nameOf.get(card.listPublicId) ?? "", values),
      none: "No card passes the filters.",
    });
  },
);

/** The comments of a card, oldest first: a page is read when the text gets to it. */
async function* commentsOf(session: Session, cardPublicId: string) {
  for (let after: string | null | undefined; after !== null;) {
    const input: { cardPublicId: string; limit: number; cursor?: string } = {
      cardPublicId,
      limit: 100,
      ...from(after),
    };
    const page = await session.run(listComments, input);
    for (const comment of page.output.items) yield* commentLines(comment);
    after = page.output.nextCursor;
  }
}

const cardGet = reads(
  {
    name: "card_get",
    title: "Read a card",
    group: "read",
    description: "Shows a card: fields, description, checklists, files, version, and its comments.",
    procedures: [getCard, listComments, getBoard, listBoardMembers, ...findingCards],
    input: { card: arg.Card, cursor: arg.Cursor },
  },
  async ({ session, find }, { card: named, cursor }) => {
    const card = await find.card(named);
    const contents = await find.contents(card.boardPublicId);
    const { name: board, lists } = contents;
    const values = await valuesShown(find, contents);
    const list = lists.find(({ publicId }) => publicId === card.listPublicId)?.name ?? "";
    async function* lines() {
      yield* cardLines(card, { list, board, values });
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
    const among = board === undefined ? undefined : await find.board(board, workspace);
    const workspacePublicId =
      among?.workspacePublicId ?? (await find.workspace(workspace)).publicId;
    const boardPublicId = among === undefined ? {} : { boardPublicId: among.publicId };
    const input = { workspacePublicId, query, limit, ...boardPublicId };
    return pageOfItems({
      cursor,
      read: async (after) =>
        (await session.run(searchWorkspace, { ...input, ...from(after) })).output,
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
    const named = workspace === undefined ? undefined : (await find.workspace(workspace)).publicId;
    const input = {
      limit,
      ...(due === undefined ? {} : { due }),
      ...(named === undefined ? {} : { workspacePublicId: named }),
    };
    return pageOfItems({
      cursor,
      read: async (after) => (await session.run(myCards, { ...input, ...from(after) })).output,
      show: (card) => cardLine(card),
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
  async ({ session, find }, { view: named, workspace, cursor }) => {
    const { publicId: workspacePublicId } = await find.workspace(workspace);
    const { output: views } = await session.run(listViews, { workspacePublicId });
    if (named === undefined) {
      return pageOfItems({
        cursor,
        read: async (after) => onePage(views, after),
        show: ({ name, publicId, scope, isBroken }) =>
          `- ${quoted(name)}; id ${publicId}; ${scope}${isBroken ? "; broken in part" : ""}`,
        none: "There is no view.",
      });
    }
    const { publicId: viewPublicId } = pick("view", named, views, ({ name }) => [name]);
    const input = { viewPublicId, limit };
    return pageOfItems({
      cursor,
      read: async (after) => (await session.run(viewCards, { ...input, ...from(after) })).output,
      show: (card) => cardLine(card),
      none: "No card is in the view.",
    });
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
      read: async (after) =>
        (await session.run(listBoardMembers, { boardPublicId, limit, ...from(after) })).output,
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
    const among = board === undefined ? undefined : await find.board(board, workspace);
    const workspacePublicId =
      among?.workspacePublicId ?? (await find.workspace(workspace)).publicId;
    const boardPublicId = among === undefined ? {} : { boardPublicId: among.publicId };
    const input = { workspacePublicId, limit, ...boardPublicId };
    return pageOfItems({
      cursor,
      read: async (after) => (await session.run(listEvents, { ...input, ...from(after) })).output,
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
  cardList,
  cardGet,
  cardSearch,
  cardMine,
  viewList,
  memberList,
  changeList,
];
