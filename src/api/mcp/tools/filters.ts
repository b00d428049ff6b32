import { getBoard } from "../../../domain/boards/get.ts";
import { listBoards } from "../../../domain/boards/list.ts";
import { listBoardMembers } from "../../../domain/boards/members.ts";
import { getCardByNumber } from "../../../domain/cards/get-by-number.ts";
import { getCard } from "../../../domain/cards/get.ts";
import { getList } from "../../../domain/lists/get.ts";
import { getWorkspace } from "../../../domain/workspaces/get.ts";
import { listWorkspaces } from "../../../domain/workspaces/list.ts";
import * as arg from "../arguments.ts";
import type { Find } from "../find.ts";
import { z } from "zod";
import { notACursor } from "../text.ts";

/** The procedures that find boards, lists, labels and members by name. */
export const finding = [
  listWorkspaces,
  listBoards,
  getBoard,
  getList,
  listBoardMembers,
  getWorkspace,
];
/** The procedures that find a card by its number or id. */
export const findingCards = [listWorkspaces, getCardByNumber, getCard];

/** How many items a tool reads per call. */
export const limit = 50;

/** The filters of cards, by names. */
export const filters = {
  list: arg.List.optional(),
  label: z.string().optional(),
  member: z.string().describe("Name, or me.").optional(),
  due: arg.DueIn.optional(),
  priority: arg.Priority.optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;
export const withArchived = { archived: arg.Archived };

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
  return { lists, labels, members, due, priority: priority && [priority] };
}

/** All items as a single page. */
export function onePage<Item>(items: Item[], after: string | undefined) {
  if (after !== undefined) throw notACursor();
  return { items, nextCursor: null };
}
