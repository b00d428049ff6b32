import { z } from "zod";
import { BoardEntry, BoardWithCursor } from "../../contract/resources/boards.ts";
import { Card } from "../../contract/resources/cards.ts";
import { Member } from "../../contract/resources/members.ts";
import { Role } from "../../contract/resources/roles.ts";
import { Workspace, WorkspaceEntry } from "../../contract/resources/workspaces.ts";
import { invitePage } from "../../platform/frontend-pages.ts";
import { ifAllowed, Refused, type RestCalls } from "./rest-calls.ts";
import { Anything, memberOf, nameRefOf, numberOf } from "./shapes.ts";

const workspacePath = "/workspaces/{workspacePublicId}";

/** The workspaces of the caller. Id and name are repeated where some clients look for them. */
export async function listWorkspaces(calls: RestCalls) {
  const entries = await calls.read(z.array(WorkspaceEntry), "/workspaces", calls.query);
  return entries.map(({ role, workspace }) => {
    const { publicId, name, slug } = workspace;
    return { role, workspace: { ...workspace, plan: "free" }, publicId, name, slug };
  });
}

/** A workspace by its id or slug, with its members and boards. */
export async function getWorkspace(calls: RestCalls) {
  const workspace = await calls.read(Workspace, workspacePath).catch(async (error: unknown) => {
    // A slug that looks like an id.
    if (!(error instanceof Refused) || error.response.status !== 404) throw error;
    const path = "/workspaces-by-slug/{workspacePublicId}";
    return calls.read(Workspace, path).catch(() => Promise.reject(error));
  });
  const path = `/workspaces/${workspace.publicId}`;
  const [members = [], boards = []] = await Promise.all([
    ifAllowed(calls.readAll(Member, `${path}/members`)),
    ifAllowed(calls.readAll(BoardEntry, `${path}/boards`)),
  ]);
  return {
    ...workspace,
    members: members.map(memberOf),
    boards: boards.map((board) => ({ ...nameRefOf(board), slug: board.slug })),
    subscriptions: [],
  };
}

const Hit = z.object({ publicId: z.string(), boardPublicId: z.string() });
const Hits = z.object({ items: z.array(Hit) });

/** The boards and cards that a search finds, in one array; each card is a call. */
export async function searchWorkspace(calls: RestCalls) {
  const limit = Number(calls.query.get("limit") ?? 20);
  const search = (type: "board" | "card") =>
    calls.read(Hits, `${workspacePath}/search`, {
      query: calls.query.get("query") ?? undefined,
      limit: String(limit),
      type,
    });
  const boardHits = (await search("board")).items;
  const cardHits = (await search("card")).items.slice(0, Math.max(0, limit - boardHits.length));
  const ids = [...boardHits, ...cardHits].map(({ boardPublicId }) => boardPublicId);
  const readings = [...new Set(ids)].map((id) =>
    unlessGone(calls.read(BoardWithCursor, `/boards/${id}`, { cardLimit: "1" })),
  );
  const cards = cardHits.map(({ publicId }) => unlessGone(calls.read(Card, `/cards/${publicId}`)));
  const boards = new Map(
    (await Promise.all(readings)).flatMap((board) => (board ? [[board.publicId, board]] : [])),
  );
  const shownBoards = boardHits.flatMap(({ publicId }) => {
    const board = boards.get(publicId);
    return board === undefined ? [] : [foundBoard(board)];
  });
  const shownCards = (await Promise.all(cards)).flatMap((card) => {
    const board = card && boards.get(card.boardPublicId);
    return card === undefined || board === undefined ? [] : [foundCard(card, board)];
  });
  return [...shownBoards, ...shownCards];
}

const foundBoard = (board: z.infer<typeof BoardWithCursor>) => {
  const { publicId, name: title, description, slug, createdAt, updatedAt } = board;
  return { publicId, title, description, slug, createdAt, updatedAt, type: "board" };
};

const foundCard = (card: z.infer<typeof Card>, board: z.infer<typeof BoardWithCursor>) => {
  const { publicId, title, description, createdAt, updatedAt } = card;
  const list = board.lists.find((boardList) => boardList.publicId === card.listPublicId);
  return {
    publicId,
    title,
    description,
    boardPublicId: board.publicId,
    boardName: board.name,
    listName: list?.name ?? "",
    cardNumber: numberOf(card.cardNumber),
    createdAt,
    updatedAt,
    type: "card",
  };
};

/** Undefined if a search result was deleted or hidden since. */
const unlessGone = <Result>(reading: Promise<Result>) => ifAllowed(reading, [403, 404]);

/** The roles of a workspace, each with its permissions. */
export const listRoles = async (calls: RestCalls) => ({
  roles: await calls.read(z.array(Role), `${workspacePath}/roles`),
});

const InviteLink = z.looseObject({ inviteCode: z.string().optional() });

const withAddress = (calls: RestCalls, link: z.infer<typeof InviteLink>) => {
  const { inviteCode } = link;
  const inviteLink =
    inviteCode === undefined ? undefined : invitePage(calls.deps.config, inviteCode);
  return { ...link, ...(inviteLink === undefined ? {} : { inviteLink }) };
};

/** The invite link of a workspace, with its address where the frontend's is known. */
export const getInviteLink = async (calls: RestCalls) =>
  withAddress(calls, await calls.read(InviteLink, `${workspacePath}/invite`));

export const createInviteLink = async (calls: RestCalls) => {
  const body = await calls.body();
  return withAddress(calls, await calls.send("POST", InviteLink, `${workspacePath}/invites`, body));
};

export const acceptInvite = async (calls: RestCalls) => ({
  ...(await calls.send("POST", Anything, "/invites/accept", await calls.body())),
  success: true,
});

/** The caller's account. Nobody has a subscription, and passwords are not set here. */
export async function me(calls: RestCalls) {
  const Me = z.looseObject({ publicId: z.string() });
  const account = await calls.read(Me, "/users/me");
  const kanFields = { stripeCustomerId: null, hasPassword: true, hasMagicLinkAccount: false };
  return { ...account, id: account.publicId, ...kanFields, apiKey: null };
}
