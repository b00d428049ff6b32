import { z } from "zod";
import { callTrello, type TrelloCredentials } from "../../integrations/trello/call.ts";
import {
  actionPages,
  cardPages,
  readHead,
  type ReadTrello,
} from "../../integrations/trello/board.ts";
import { LoopTurns } from "../../../platform/loop-turns.ts";
import { requestFile, urlOf } from "../../integrations/trello/download.ts";
import type { ImportContext } from "../job/context.ts";
import { withRetries } from "../job/retry-policy.ts";
import { filesOf } from "../source-files.ts";
import type { Fetch } from "../write/files.ts";
import { commentTypes, type BoardReader } from "./board-reader.ts";
import type { Include } from "./input.ts";
import { timedActions } from "./times.ts";
import type { TrelloBoard } from "../../integrations/trello/shapes.ts";

const parts = ["lists", "labels", "members", "customFields", "pluginData"] as const;
const responseBytes = 64 * 1024 * 1024;

/** Calls Trello's API with the credentials of a user. */
export const trelloApiOf =
  (context: ImportContext, credentials: TrelloCredentials): ReadTrello =>
  (path, shape) => {
    const limits = { bytes: responseBytes, signal: context.signal };
    const api = { apiUrl: context.deps.config.TRELLO_API_URL, limits };
    return withRetries(context, () => callTrello(api, credentials, path, shape));
  };

/** Fetches files from Trello. */
export const fetchFrom = (context: ImportContext, credentials: TrelloCredentials): Fetch =>
  filesOf(context, "Trello", (upload) => {
    const url = urlOf({ apiUrl: context.deps.config.TRELLO_API_URL }, upload);
    return { url, send: (signal) => requestFile(url, credentials, signal) };
  });

const OnCard = z.object({
  type: z.string(),
  data: z.object({ card: z.object({ id: z.string() }) }),
});

/** Reads a board from Trello's API, page by page; calls `onPart` after each. */
export async function readBoard(
  call: ReadTrello,
  id: string,
  include: Include,
  reader: BoardReader,
  onPart: () => Promise<void>,
): Promise<TrelloBoard> {
  const { archived } = include;
  const board = await readHead(call, { id, archived });
  const turns = new LoopTurns();
  for (const field of parts)
    for (const value of board[field]) {
      reader.take(field, value);
      await turns.next();
    }
  for await (const page of cardPages(call, { id, archived })) {
    for (const value of page) {
      takeCard(reader, value, include);
      await turns.next();
    }
    await onPart();
  }
  const types = [...(include.comments ? commentTypes : []), ...timedActions];
  for await (const page of actionPages(call, { id, archived }, types)) {
    for (const value of page) {
      reader.times.note(value);
      const { type, data } = OnCard.safeParse(value).data ?? {};
      if (type === undefined || !commentTypes.has(type)) continue;
      // Without archived cards, only the comments of the cards that were read.
      const card = data?.card.id ?? "";
      if (archived || reader.cards.has(card)) reader.take("actions", value);
      await turns.next();
    }
    await onPart();
  }
  return board;
}

const Card = z.looseObject({ id: z.string(), checklists: z.array(z.unknown()).catch([]) });
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
  for (const rawChecklist of checklists) {
    const checklist = include.members ? undefined : Checklist.safeParse(rawChecklist).data;
    const checkItems = checklist?.checkItems.map((item) => ({ ...item, idMember: null }));
    const items = checkItems === undefined ? {} : { checkItems };
    reader.take("checklists", { ...Object(rawChecklist), idCard: card.id, ...items });
  }
}
