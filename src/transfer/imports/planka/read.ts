import type { Staging } from "../../../platform/storage/staging.ts";
import { Failure } from "../../../platform/errors.ts";
import type { CallHost } from "../../integrations/hosts.ts";
import {
  commentPages,
  readBoard,
  readProject,
  storedCards,
  wholeCards,
} from "../../integrations/planka/read.ts";
import {
  WholeCard,
  type Included,
  type PlankaBoard,
  type PlankaUser,
} from "../../integrations/planka/shapes.ts";
import type { ImportContext } from "../job/context.ts";
import { checkCardBytes, checkMax } from "../write/limits.ts";
import { fieldsById } from "../write/source-custom-fields.ts";
import type { StagedBoard, StagedCard } from "../write/staged-board.ts";
import { PlankaCustomFields } from "./custom-fields.ts";
import { archiveOf, mapPlankaBoard, shownLists } from "./map-board.ts";
import { mapPlankaCard } from "./map-card.ts";
import { reportBoard, reportTrash } from "./report.ts";

/** Reads a board with its archive and comments; null when Planka does not show it. */
export async function readPlankaBoard(
  context: ImportContext,
  call: CallHost,
  { id, favouriteIds }: { id: string; favouriteIds: ReadonlySet<string> },
  staging: Staging,
): Promise<Omit<StagedBoard, "fetch"> | null> {
  const board = await readBoard(call, id).catch((error: unknown) => {
    if (error instanceof Failure && error.failure === "NOT_FOUND") return null;
    throw error;
  });
  if (board === null) return null;
  const { item, included } = board;
  const { lists, isShown, archives, listOf } = placesOn(board);
  const users = new Map<string, PlankaUser>();
  addUsers(users, included.users);
  const groups = new PlankaCustomFields(item.id);
  let readCount = 0;
  const take = async (cards: WholeCard[]) => {
    for (const wholeCard of cards) {
      await context.checkAlive();
      await addComments(call, wholeCard, included.taskLists === undefined, users);
      const { card } = wholeCard;
      const place = archives.has(card.listId) ? Number.MAX_VALUE : (card.position ?? 0);
      lists.get(listOf(card))?.push({ id: card.id, values: [staging.put(wholeCard)], place });
      context.progress("reading", ++readCount);
      checkMax("cards", readCount);
      await staging.flush();
    }
  };
  await addFields(call, groups, included, included.projects);
  const onBoard = included.cards.filter(({ listId }) => isShown.has(listId));
  await take(wholeCards(onBoard, included));
  for (const archive of archives)
    for await (const page of storedCards(call, archive)) {
      addUsers(users, page.included.users);
      await addFields(call, groups, page.included, included.projects);
      await take(wholeCards(page.items, page.included));
    }
  const hasLoose = lists.get(archiveOf(item))?.length !== 0;
  if (!hasLoose) lists.delete(archiveOf(item));
  const source = mapPlankaBoard(board, groups, hasLoose, context.skip);
  reportBoard(board, { users, favouriteIds }, context.skip);
  await reportTrash(context, call, included.lists);
  const mapping = {
    users,
    labelIds: new Set(included.labels.map(({ id: label }) => label)),
    listOf,
    archives,
    groups,
    fields: fieldsById(source),
  };
  return {
    board: source,
    lists: [...lists.values()].map((cards) =>
      cards.toSorted((one, other) => one.place - other.place),
    ),
    toCard: ([card], members) => mapPlankaCard(WholeCard.parse(card), { ...mapping, members }),
  };
}

/** The lists of a board, and which of them a card is in. */
function placesOn({ item, included }: PlankaBoard) {
  const listIds = shownLists(included.lists).map((list) => list.id);
  const isShown = new Set(listIds);
  return {
    lists: new Map([...listIds, archiveOf(item)].map((listId): [string, Placed[]] => [listId, []])),
    isShown,
    archives: new Set(included.lists.flatMap(({ type, id }) => (type === "archive" ? id : []))),
    listOf: (card: WholeCard["card"]): string => {
      if (isShown.has(card.listId)) return card.listId;
      return isShown.has(card.prevListId ?? "") ? (card.prevListId ?? "") : archiveOf(item);
    },
  };
}

/** A staged card, and its place in its list. */
type Placed = StagedCard & { place: number };

/** Reads the comments of a card. Planka 2 says when there are none, Planka 1 does not. */
async function addComments(
  call: CallHost,
  wholeCard: WholeCard,
  isFirst: boolean,
  users: Map<string, PlankaUser>,
) {
  if (wholeCard.card.commentsTotal === 0) return;
  const { id } = wholeCard.card;
  let bytes = 0;
  for await (const page of commentPages(call, id, isFirst)) {
    bytes += JSON.stringify(page.items).length;
    checkCardBytes(id, bytes);
    for (const item of page.items)
      if (!isFirst || item.type === "commentCard") wholeCard.comments.push(item);
    addUsers(users, page.users);
  }
}

/** Adds the custom fields of cards. What the boards of a project share is read when it is needed. */
async function addFields(
  call: CallHost,
  to: PlankaCustomFields,
  included: Included,
  [project]: { id: string }[],
) {
  to.add(included);
  if (to.lacksShared && project !== undefined)
    to.addShared((await readProject(call, project.id)).included);
}

function addUsers(to: Map<string, PlankaUser>, users: PlankaUser[]) {
  for (const user of users) to.set(user.id, user);
  checkMax("people", to.size);
}
