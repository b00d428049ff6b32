import type { Staging } from "../../../platform/storage/staging.ts";
import { Failure } from "../../../platform/errors.ts";
import type { CallHost } from "../../integrations/hosts.ts";
import {
  archivedCards,
  commentPages,
  readBoard,
  readProject,
  wholeCards,
} from "../../integrations/planka/read.ts";
import { WholeCard, type Included, type PlankaUser } from "../../integrations/planka/shapes.ts";
import type { ImportContext } from "../job/context.ts";
import { checkCardBytes, checkMost } from "../write/limits.ts";
import type { StagedBoard, StagedCard } from "../write/staged-board.ts";
import { PlankaFields } from "./fields.ts";
import { archiveOf, mapPlankaBoard, shownLists } from "./map-board.ts";
import { mapPlankaCard } from "./map-card.ts";

/** Reads a board with its archive and comments; null when Planka does not show it. */
export async function readPlankaBoard(
  context: ImportContext,
  call: CallHost,
  id: string,
  staging: Staging,
): Promise<Omit<StagedBoard, "fetch"> | null> {
  const board = await readBoard(call, id).catch((error: unknown) => {
    if (error instanceof Failure && error.failure === "NOT_FOUND") return null;
    throw error;
  });
  if (board === null) return null;
  const { item, included } = board;
  const listIds = shownLists(included.lists).map((list) => list.id);
  const isShown = new Set(listIds);
  const lists = new Map([...listIds, archiveOf(item)].map((one): [string, Placed[]] => [one, []]));
  const users = new Map<string, PlankaUser>();
  addUsers(users, included.users);
  const archives = new Set(
    included.lists.flatMap((list) => (list.type === "archive" ? list.id : [])),
  );
  const listOf = (card: WholeCard["card"]) => {
    if (isShown.has(card.listId)) return card.listId;
    return isShown.has(card.prevListId ?? "") ? (card.prevListId ?? "") : archiveOf(item);
  };
  const groups = new PlankaFields(item.id);
  const takeFields = async (more: Included) => {
    groups.add(more);
    const [project] = included.projects;
    if (!groups.lacksShared || project === undefined) return;
    groups.addShared((await readProject(call, project.id)).included);
  };
  let read = 0;
  const take = async (cards: WholeCard[]) => {
    for (const whole of cards) {
      await context.checkAlive();
      await addComments(call, whole, included.taskLists === undefined, users);
      const { card } = whole;
      const place = archives.has(card.listId) ? Number.MAX_VALUE : (card.position ?? 0);
      lists.get(listOf(card))?.push({ id: card.id, at: staging.put(whole), place });
      context.progress("reading", ++read);
      checkMost("cards", read);
      await staging.flushIfLarge();
    }
    await staging.flush();
  };
  await takeFields(included);
  const ofBoard = included.cards.filter(({ listId }) => isShown.has(listId));
  await take(wholeCards(ofBoard, included));
  for (const archive of archives)
    for await (const page of archivedCards(call, archive)) {
      addUsers(users, page.included.users);
      await takeFields(page.included);
      await take(wholeCards(page.items, page.included));
    }
  const labelIds = new Set(included.labels.map((label) => label.id));
  const hasLoose = lists.get(archiveOf(item))?.length !== 0;
  if (!hasLoose) lists.delete(archiveOf(item));
  const source = mapPlankaBoard(board, groups, hasLoose, context.skip);
  const fields = new Map(source.fields?.map((field) => [field.sourceId, field]));
  const mapping = { users, labelIds, listOf, archives, groups, fields };
  return {
    board: source,
    lists: [...lists.values()].map((cards) =>
      cards.toSorted((one, other) => one.place - other.place),
    ),
    toCard: (staged, mapped) => mapPlankaCard(WholeCard.parse(staged), { ...mapping, mapped }),
  };
}

/** A staged card, and its place in its list. */
type Placed = StagedCard & { place: number };

/** Reads the comments of a card. Planka 2 says when there are none, Planka 1 does not. */
async function addComments(
  call: CallHost,
  whole: WholeCard,
  isFirst: boolean,
  users: Map<string, PlankaUser>,
) {
  if (whole.card.commentsTotal === 0) return;
  const { id } = whole.card;
  let bytes = 0;
  for await (const page of commentPages(call, id, isFirst)) {
    bytes += JSON.stringify(page.items).length;
    checkCardBytes(id, bytes);
    for (const item of page.items)
      if (!isFirst || item.type === "commentCard") whole.comments.push(item);
    addUsers(users, page.users);
  }
}

function addUsers(to: Map<string, PlankaUser>, more: PlankaUser[]) {
  for (const user of more) to.set(user.id, user);
  checkMost("people", to.size);
}
