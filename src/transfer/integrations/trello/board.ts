import { z } from "zod";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { badGateway } from "../../../platform/errors.ts";
import { TrelloBoardShape } from "./shapes.ts";

/** Reads a path of Trello's API. */
export type ReadTrello = <T>(path: string, shape: z.ZodType<T>) => Promise<T>;

/** A board to read: with archived lists and cards, or without them. */
export type BoardToRead = { id: string; archived: boolean };

export const Page = z.array(z.unknown());
const list = Page;
export const Board = TrelloBoardShape.extend({
  lists: list,
  labels: list.catch([]),
  members: list.catch([]),
  customFields: list.catch([]),
  pluginData: list.catch([]),
});
declareResponses(import.meta.url, { Page, Board });
const Ids = z.array(z.object({ id: z.string() }));

/** The cards of a page: fewer than Trello allows, as they come with everything on them. */
const cardsPage = 250;
const actionsPage = 1_000;

/** The path of a part of a board, from lines of text. */
const pathOf = ({ id }: BoardToRead, rest: string) =>
  `/1/boards/${encodeURIComponent(id)}${rest.replace(/\s+/g, "")}`;

/** Reads a board without its cards and actions. */
export const readHead = (call: ReadTrello, board: BoardToRead) =>
  call(
    pathOf(
      board,
      `?fields=name,desc,closed,dateClosed,prefs&lists=${board.archived ? "all" : "open"}
      &list_fields=name,closed,pos,softLimit,color
      &labels=all&label_fields=name,color&labels_limit=1000
      &members=all&member_fields=fullName,username&customFields=true&pluginData=true`,
    ),
    Board,
  );

/** Reads the cards of a board with their parts. */
export function cardPages(call: ReadTrello, board: BoardToRead): AsyncGenerator<unknown[]> {
  const rest = `/cards/${board.archived ? "all" : "visible"}?attachments=true&checklists=all
    &stickers=true&customFieldItems=true&pluginData=true&limit=${cardsPage}`;
  return pages(call, pathOf(board, rest), cardsPage);
}

/** Reads the actions of a board that are of some types. */
export function actionPages(
  call: ReadTrello,
  board: BoardToRead,
  types: string[],
): AsyncGenerator<unknown[]> {
  const rest = `/actions?filter=${types.join(",")}&limit=${actionsPage}
    &memberCreator_fields=fullName,username`;
  return pages(call, pathOf(board, rest), actionsPage);
}

/**
 * Reads pages back in time: each asks for what is older than the oldest item of the previous one.
 */
async function* pages(call: ReadTrello, path: string, size: number): AsyncGenerator<unknown[]> {
  let before: string | undefined;
  for (;;) {
    const page = await call(before === undefined ? path : `${path}&before=${before}`, Page);
    if (page.length > size)
      throw badGateway(
        "provider_failed",
        "Trello sent a page with more items than it was asked for.",
      );
    yield page;
    if (page.length < size) return;
    const ids = Ids.safeParse(page).data?.map(({ id }) => id) ?? [];
    const oldest = ids.toSorted()[0];
    if (oldest === undefined || (before !== undefined && oldest >= before))
      throw badGateway("provider_failed", "Trello sent the same page twice.");
    before = oldest;
  }
}
