import { z } from "zod";
import { badGateway } from "../../../platform/errors.ts";
import { askTrello, type TrelloCredentials } from "../../integrations/trello/ask.ts";
import { patiently } from "../retry-policy.ts";
import type { ImportRun } from "../context.ts";
import type { Include } from "./ask.ts";
import type { Reading } from "./reading.ts";
import { TrelloBoardShape } from "./shapes.ts";

/** Asks Trello for a path, as often as it takes. */
export type Ask = <T>(path: string, shape: z.ZodType<T>) => Promise<T>;

const list = z.array(z.unknown());
const Board = TrelloBoardShape.extend({
  lists: list,
  labels: list.catch([]),
  members: list.catch([]),
  customFields: list.catch([]),
  pluginData: list.catch([]),
});
const Ids = z.array(z.object({ id: z.string() }));

/** A page of cards comes with all that hangs on them, so it is smaller than Trello allows. */
const cardsPage = 250;
const actionsPage = 1_000;
const answerBytes = 64 * 1024 * 1024;

/** Asks Trello with somebody's credentials. */
export const asking =
  (run: ImportRun, credentials: TrelloCredentials): Ask =>
  (path, shape) => {
    const api = { apiUrl: run.deps.config.TRELLO_API_URL, limits: { bytes: answerBytes } };
    return patiently(run, () => askTrello(api, credentials, path, shape));
  };

/** Reads a board from Trello itself, page by page. */
export async function readBoard(
  ask: Ask,
  id: string,
  include: Include,
  reading: Reading,
  settled: () => Promise<void>,
): Promise<void> {
  const root = `/1/boards/${encodeURIComponent(id)}`;
  const lists = include.archived ? "all" : "open";
  const {
    lists: its,
    labels,
    members,
    customFields,
    pluginData,
    ...board
  } = await ask(
    `${root}?fields=name,desc,closed&lists=${lists}&list_fields=name,closed,pos&labels=all&label_fields=name,color&labels_limit=1000&members=all&member_fields=fullName,username,email&customFields=true&pluginData=true`,
    Board,
  );
  Object.assign(reading.board, board);
  const things = { lists: its, labels, members, customFields, pluginData };
  for (const [field, values] of Object.entries(things)) {
    for (const value of values) reading.take(field, value);
  }
  if (include.comments) {
    const actions = `${root}/actions?filter=commentCard,copyCommentCard&memberCreator_fields=fullName,username&limit=${actionsPage}`;
    for await (const page of pages(ask, actions, actionsPage)) {
      for (const value of page) reading.take("actions", value);
      await settled();
    }
  }
  const filter = include.archived ? "all" : "visible";
  const cards = `${root}/cards/${filter}?attachments=true&checklists=all&stickers=true&customFieldItems=true&pluginData=true&limit=${cardsPage}`;
  for await (const page of pages(ask, cards, cardsPage)) {
    for (const value of page) takeCard(reading, value, include);
    await settled();
  }
}

/** Trello's pages go back in time: each asks for what is older than the oldest thing of the one before. */
async function* pages(ask: Ask, path: string, size: number): AsyncGenerator<unknown[]> {
  let before: string | undefined;
  for (;;) {
    const page = await ask(before === undefined ? path : `${path}&before=${before}`, list);
    yield page;
    if (page.length < size) return;
    const ids = Ids.safeParse(page).data?.map(({ id }) => id) ?? [];
    const oldest = ids.toSorted()[0];
    if (oldest === undefined || (before !== undefined && oldest >= before)) {
      throw badGateway("Trello's pages lead nowhere.");
    }
    before = oldest;
  }
}

const Card = z.looseObject({ id: z.string(), checklists: list.catch([]) });
const Checklist = z.looseObject({ checkItems: z.array(z.looseObject({})) });

/** Takes a card, with the checklists that come in it, as far as that was asked for. */
function takeCard(reading: Reading, value: unknown, include: Include) {
  const read = Card.safeParse(value);
  if (!read.success) return reading.take("cards", value);
  const { checklists, ...card } = read.data;
  reading.take("cards", {
    ...card,
    ...(include.members ? {} : { idMembers: [] }),
    ...(include.attachments ? {} : { attachments: [] }),
  });
  for (const one of checklists) {
    const checklist = include.members ? undefined : Checklist.safeParse(one).data;
    const items = checklist?.checkItems.map((item) => ({ ...item, idMember: null }));
    reading.take("checklists", {
      ...Object(one),
      idCard: card.id,
      ...(items === undefined ? {} : { checkItems: items }),
    });
  }
}
