import { z } from "zod";
import { storeFile } from "../../../domain/attachments/store.ts";
import { badGateway } from "../../../platform/errors.ts";
import { askTrello, type TrelloCredentials } from "../../integrations/trello/ask.ts";
import { downloadUpload } from "../../integrations/trello/download.ts";
import type { ImportContext } from "../job/context.ts";
import { withRetries } from "../job/retry-policy.ts";
import type { Fetch } from "../write/files.ts";
import type { BoardReader } from "./board-reader.ts";
import type { Include } from "./input.ts";
import { TrelloBoardShape, type TrelloBoard } from "./shapes.ts";

/** Reads a path of Trello's API, with retries. */
export type Call = <T>(path: string, shape: z.ZodType<T>) => Promise<T>;

const list = z.array(z.unknown());
const Board = TrelloBoardShape.extend({
  lists: list,
  labels: list.catch([]),
  members: list.catch([]),
  customFields: list.catch([]),
  pluginData: list.catch([]),
});
const parts = ["lists", "labels", "members", "customFields", "pluginData"] as const;
const Ids = z.array(z.object({ id: z.string() }));

/** Cards come with everything on them, so their pages are smaller than Trello allows. */
const cardsPage = 250;
const actionsPage = 1_000;
const responseBytes = 64 * 1024 * 1024;

/** Calls Trello's API with the credentials of a user. */
export const apiOf =
  (context: ImportContext, credentials: TrelloCredentials): Call =>
  (path, shape) => {
    const api = { apiUrl: context.deps.config.TRELLO_API_URL, limits: { bytes: responseBytes } };
    return withRetries(context, () => askTrello(api, credentials, path, shape));
  };

/** Fetches files from Trello. One that cannot be fetched stays a link. */
export const fetchFrom =
  (context: ImportContext, credentials: TrelloCredentials): Fetch =>
  async (upload, storageKey) => {
    const { deps, signal } = context;
    const api = { apiUrl: deps.config.TRELLO_API_URL, outgoing: deps.outgoing };
    const stored = await withRetries(context, async () => {
      const { headers, body } = await downloadUpload(api, credentials, upload, signal);
      const declared = String(headers["content-type"] ?? "");
      return storeFile(deps.files, storageKey, body, declared);
    });
    await context.countFile(stored.size);
    return { ...stored, storageKey };
  };

/** Reads a board from Trello's API, page by page; calls `onPart` after each. */
export async function readBoard(
  call: Call,
  id: string,
  include: Include,
  reader: BoardReader,
  onPart: () => Promise<void>,
): Promise<TrelloBoard> {
  const root = `/1/boards/${encodeURIComponent(id)}`;
  const board = await readHead(call, root, include);
  for (const field of parts) for (const value of board[field]) reader.take(field, value);
  const filter = include.archived ? "all" : "visible";
  const path = `${root}/cards/${filter}?attachments=true&checklists=all&stickers=true
    &customFieldItems=true&pluginData=true&limit=${cardsPage}`;
  for await (const page of pages(call, withoutSpace(path), cardsPage)) {
    for (const value of page) takeCard(reader, value, include);
    await onPart();
  }
  if (include.comments) await readComments(call, root, include, reader, onPart);
  return board;
}

const OnCard = z.object({ data: z.object({ card: z.object({ id: z.string() }) }) });

/** Reads the comments of a board; without archived cards, those of the cards that were read. */
async function readComments(
  call: Call,
  root: string,
  include: Include,
  reader: BoardReader,
  onPart: () => Promise<void>,
) {
  const path = `${root}/actions?filter=commentCard,copyCommentCard&limit=${actionsPage}
    &memberCreator_fields=fullName,username`;
  for await (const page of pages(call, withoutSpace(path), actionsPage)) {
    for (const value of page) {
      const card = OnCard.safeParse(value).data?.data.card.id;
      if (include.archived || card === undefined || reader.cards.has(card))
        reader.take("actions", value);
    }
    await onPart();
  }
}

const withoutSpace = (path: string) => path.replace(/\s+/g, "");

/** Reads a board without its cards and actions. */
function readHead(call: Call, root: string, include: Include) {
  const lists = include.archived ? "all" : "open";
  const path = `${root}?fields=name,desc,closed,dateClosed&lists=${lists}
    &list_fields=name,closed,pos,softLimit,color
    &labels=all&label_fields=name,color&labels_limit=1000
    &members=all&member_fields=fullName,username&customFields=true&pluginData=true`;
  return call(withoutSpace(path), Board);
}

/** Pages go back in time: each asks for what is older than the oldest item of the previous one. */
async function* pages(call: Call, path: string, size: number): AsyncGenerator<unknown[]> {
  let before: string | undefined;
  for (;;) {
    const page = await call(before === undefined ? path : `${path}&before=${before}`, list);
    yield page;
    if (page.length < size) return;
    const ids = Ids.safeParse(page).data?.map(({ id }) => id) ?? [];
    const oldest = ids.toSorted()[0];
    if (oldest === undefined || (before !== undefined && oldest >= before))
      throw badGateway("provider_failed", "Trello's pages repeat.");
    before = oldest;
  }
}

const Card = z.looseObject({ id: z.string(), checklists: list.catch([]) });
const Checklist = z.looseObject({ checkItems: z.array(z.looseObject({})) });

/** Takes a card and its checklists, without what is not included. */
function takeCard(reader: BoardReader, value: unknown, include: Include) {
  const { data } = Card.safeParse(value);
  if (data === undefined) return reader.take("cards", value);
  const { checklists, ...card } = data;
  reader.take("cards", {
    ...card,
    ...(include.members ? {} : { idMembers: [] }),
    ...(include.attachments ? {} : { attachments: [] }),
  });
  for (const one of checklists) {
    const checklist = include.members ? undefined : Checklist.safeParse(one).data;
    const checkItems = checklist?.checkItems.map((item) => ({ ...item, idMember: null }));
    const items = checkItems === undefined ? {} : { checkItems };
    reader.take("checklists", { ...Object(one), idCard: card.id, ...items });
  }
}
