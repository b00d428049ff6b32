import { badGateway } from "../../../platform/errors.ts";
import type { OutgoingOptions } from "../../../platform/http/address-guard.ts";
import { callHost, withoutApiPath, type CallHost, type Host } from "../hosts.ts";
import {
  AccessResponse,
  BoardResponse,
  CardsResponse,
  CommentsResponse,
  ProjectResponse,
  ProjectsResponse,
  TokenResponse,
  type Included,
  type PlankaComment,
  type PlankaUser,
  type WholeCard,
} from "./shapes.ts";
import { groupBy } from "../../../platform/maps.ts";

/** The credential of a user at Planka: an access token, or an API key of Planka 2. */
export type PlankaCredential = { token?: string | undefined; apiKey?: string | undefined };

/** A Planka at an address. */
export const plankaHost = (url: string, { token, apiKey }: PlankaCredential): Host => ({
  service: "Planka",
  url: withoutApiPath(url),
  headers:
    apiKey === undefined
      ? token === undefined
        ? {}
        : { Authorization: `Bearer ${token}` }
      : { "X-Api-Key": apiKey },
  refusals,
});

/** What to do when Planka does not let an account in, by its messages. */
const refusals = new Map([
  [
    "Terms acceptance required",
    "The account has not accepted the terms of this Planka. Sign in there once and accept them.",
  ],
  [
    "Use single sign-on",
    "The account signs in to Planka by single sign-on. Send an access token or an API key instead.",
  ],
  [
    "Admin login required to initialize instance",
    "This Planka is not set up yet: an administrator has to sign in there first.",
  ],
]);

/** Signs in with a password; returns the token. */
export async function signIn(
  url: string,
  login: { emailOrUsername: string; password: string },
  outgoing: OutgoingOptions,
): Promise<string> {
  const { item } = await callHost(plankaHost(url, {}), outgoing)(
    "/api/access-tokens",
    TokenResponse,
    login,
  );
  return item;
}

/** Lists what the caller sees: the boards of some projects, or of all, and favourite projects. */
export async function listProjects(
  call: CallHost,
  projectIds?: string[],
): Promise<{ boardIds: string[]; favouriteIds: Set<string> }> {
  const { items, included } = await call("/api/projects", ProjectsResponse);
  const ids = projectIds ?? items.map(({ id }) => id);
  const boards = groupBy(included.boards, ({ projectId }) => projectId);
  const boardIds = ids.flatMap((projectId) =>
    (boards.get(projectId) ?? [])
      .toSorted((one, other) => one.position - other.position)
      .map(({ id }) => id),
  );
  const favouriteIds = items.flatMap(({ id, isFavorite }) => (isFavorite ? id : []));
  return { boardIds, favouriteIds: new Set(favouriteIds) };
}

/** Reads a board; the answer contains all its cards that are not archived. */
export const readBoard = (call: CallHost, id: string) =>
  call(`/api/boards/${encodeURIComponent(id)}`, BoardResponse);

/** Reads a project; the answer contains the fields that its boards share. */
export const readProject = (call: CallHost, id: string) =>
  call(`/api/projects/${encodeURIComponent(id)}`, ProjectResponse);

/** The number of cards or comments in a page of Planka. */
const pageSize = 50;

/** Reads the cards of an archive or of the trash, latest first, page by page. */
export async function* storedCards(call: CallHost, listId: string) {
  const path = `/api/lists/${encodeURIComponent(listId)}/cards`;
  const readIds = new Set<string>();
  let query = "";
  for (;;) {
    const page = await call(path + query, CardsResponse);
    const fresh = page.items.filter(({ id }) => !readIds.has(id));
    for (const { id } of fresh) readIds.add(id);
    yield { ...page, items: fresh };
    const last = page.items.at(-1);
    if (last === undefined || page.items.length < pageSize) return;
    if (fresh.length === 0) throw samePage();
    const before = JSON.stringify({ id: last.id, listChangedAt: last.listChangedAt });
    query = `?${new URLSearchParams({ before }).toString()}`;
  }
}

const samePage = () => badGateway("provider_failed", "Planka sent the same page twice.");

/** Reads the comments of a card, page by page; the actions of the card at Planka 1. */
export async function* commentPages(
  call: CallHost,
  cardId: string,
  isFirst: boolean,
): AsyncGenerator<{ items: PlankaComment[]; users: PlankaUser[] }> {
  const path = `/api/cards/${encodeURIComponent(cardId)}/${isFirst ? "actions" : "comments"}`;
  const readIds = new Set<string>();
  let query = "";
  for (;;) {
    const { items, included } = await call(path + query, CommentsResponse);
    const fresh = items.filter(({ id }) => !readIds.has(id));
    for (const { id } of fresh) readIds.add(id);
    yield { items: fresh, users: included.users };
    const last = items.at(-1);
    if (last === undefined || items.length < pageSize) return;
    if (fresh.length === 0) throw samePage();
    query = `?${new URLSearchParams({ beforeId: last.id }).toString()}`;
  }
}

/** Puts what comes with cards beside each of them. */
export function wholeCards(cards: WholeCard["card"][], included: Included): WholeCard[] {
  const { cardLabels, cardMemberships, attachments, customFieldValues } = included;
  const labels = groupBy(cardLabels, ({ cardId }) => cardId);
  const memberships = groupBy(cardMemberships, ({ cardId }) => cardId);
  const files = groupBy(attachments, ({ cardId }) => cardId);
  const values = groupBy(customFieldValues, ({ cardId }) => cardId);
  const taskLists = taskListsOf(included);
  return cards.map((card) => ({
    card,
    labelIds: (labels.get(card.id) ?? []).map(({ labelId }) => labelId),
    userIds: (memberships.get(card.id) ?? []).map(({ userId }) => userId),
    taskLists: taskLists.get(card.id) ?? [],
    attachments: files.get(card.id) ?? [],
    comments: [],
    fields: values.get(card.id) ?? [],
  }));
}

/** The lists of tasks by card; the tasks of Planka 1 are one list. */
function taskListsOf({ taskLists, tasks }: Included) {
  const byList = groupBy(tasks, ({ taskListId }) => taskListId);
  const listed = (taskLists ?? []).map((list) => ({ ...list, tasks: byList.get(list.id) ?? [] }));
  const loose = groupBy(byList.get(null) ?? [], ({ cardId }) => cardId ?? "");
  const looseLists = [...loose].map(([cardId, ofCard]) => {
    return { id: `${cardId}/tasks`, cardId, name: "Tasks", position: 0, tasks: ofCard };
  });
  return groupBy([...listed, ...looseLists], ({ cardId }) => cardId);
}

/** Checks that the credentials are accepted; the answer itself is not needed. */
export const checkAccess = (call: CallHost) => call("/api/projects", AccessResponse);
