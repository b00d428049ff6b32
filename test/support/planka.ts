import { randomBytes } from "node:crypto";
import { startStandIn, type Recorded, type Reply, type StandIn } from "./stand-in.ts";

type Row = Record<string, any> & { id: string };

/** What an account of Planka sees: the rows of its tables, as its API shows them. */
export type PlankaData = {
  projects: Row[];
  boardMemberships: Row[];
  boards: Row[];
  lists: Row[];
  labels: Row[];
  cards: Row[];
  cardLabels: Row[];
  cardMemberships: Row[];
  taskLists: Row[];
  tasks: Row[];
  attachments: Row[];
  comments: Row[];
  users: Row[];
  /** Groups of custom fields that the boards of a project share. */
  baseCustomFieldGroups: Row[];
  customFieldGroups: Row[];
  customFields: Row[];
  customFieldValues: Row[];
};

/** Planka on a loopback port, as version 1 or 2 shows the same data. */
export type FakePlanka = StandIn & {
  version: 1 | 2;
  token: string;
  apiKey: string;
  login: { emailOrUsername: string; password: string };
  /** Whether the account has not accepted the terms. */
  requiresTerms: boolean;
  data: PlankaData;
  /** The bytes of files, by the ids of their attachments. */
  files: Map<string, Buffer>;
};

const noData = (): PlankaData => ({
  projects: [],
  boardMemberships: [],
  boards: [],
  lists: [],
  labels: [],
  cards: [],
  cardLabels: [],
  cardMemberships: [],
  taskLists: [],
  tasks: [],
  attachments: [],
  comments: [],
  users: [],
  baseCustomFieldGroups: [],
  customFieldGroups: [],
  customFields: [],
  customFieldValues: [],
});

const error = (status: number, code: string, message: string): Reply => ({
  status,
  body: { code, message },
});
const missing = (what: string) => error(404, "E_NOT_FOUND", `${what} not found`);
const finite = ({ type }: Row) => type === "active" || type === "closed";
const page = 50;

/** Starts a Planka without data. */
export async function startPlanka(): Promise<FakePlanka> {
  const standIn = await startStandIn((request) => answer(planka, request));
  const planka: FakePlanka = {
    ...standIn,
    version: 2,
    token: `eyJhbGciOiJIUzI1NiJ9.${randomBytes(20).toString("hex")}`,
    apiKey: randomBytes(20).toString("hex"),
    login: { emailOrUsername: "demo@planka.example", password: "correct horse battery" },
    requiresTerms: false,
    data: noData(),
    files: new Map(),
  };
  return planka;
}

function answer(planka: FakePlanka, request: Recorded): Reply {
  const { path, method, headers, body } = request;
  if (method === "POST" && path === "/api/access-tokens") {
    const { emailOrUsername, password } = JSON.parse(body);
    const { login } = planka;
    if (planka.requiresTerms) {
      const { token: pendingToken } = planka;
      const refusal = { code: "E_FORBIDDEN", message: "Terms acceptance required", pendingToken };
      return { status: 403, body: { ...refusal, step: "accept-terms" } };
    }
    const isKnown = emailOrUsername === login.emailOrUsername && password === login.password;
    if (!isKnown) return error(401, "E_UNAUTHORIZED", "Invalid credentials");
    return { status: 200, body: { item: planka.token } };
  }
  const isSignedIn =
    headers.authorization === `Bearer ${planka.token}` ||
    (planka.version === 2 && headers["x-api-key"] === planka.apiKey);
  const [, root, kind, id = "", part, last] = path.split("/");
  if (root === "attachments") {
    // Files take the token from a cookie.
    const hasCookie = headers.cookie === `accessToken=${encodeURIComponent(planka.token)}`;
    if (!hasCookie && headers["x-api-key"] !== planka.apiKey)
      return error(401, "E_UNAUTHORIZED", "Access token is missing, invalid or expired");
    const bytes = planka.files.get(kind ?? "");
    return bytes === undefined ? missing("File attachment") : { status: 200, body: bytes };
  }
  if (root !== "api")
    return { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html>" };
  if (!isSignedIn)
    return error(401, "E_UNAUTHORIZED", "Access token is missing, invalid or expired");
  const of = view(planka);
  if (kind === "projects") return id === "" ? of.projects() : of.project(id);
  if (kind === "boards" && part === undefined) return of.board(id);
  if (kind === "lists" && part === "cards" && planka.version === 2)
    return of.archive(id, request.query);
  const wanted = planka.version === 1 ? "actions" : "comments";
  if (kind === "cards" && part === wanted && last === undefined)
    return of.comments(id, request.query);
  return missing("Resource");
}

/** What the version of a Planka shows of its data. */
function view({ data, version, url }: FakePlanka) {
  const isFirst = version === 1;
  const shownFile = (attachment: Row): Row => {
    const { data: of, ...rest } = attachment;
    const file = `${url}/attachments/${attachment.id}/download/${of?.filename}`;
    if (isFirst) return { ...rest, type: undefined, url: file, coverUrl: null, image: null };
    if (attachment["type"] === "link") return attachment;
    return { ...rest, data: { size: 3, mimeType: "text/plain", url: file } };
  };
  const on = (cards: Row[], boardId?: string) => {
    const ids = new Set(cards.map(({ id }) => id));
    const ofCards = (rows: Row[]) => rows.filter(({ cardId }) => ids.has(cardId));
    const taskLists = ofCards(data.taskLists);
    const lists = new Map(taskLists.map((list) => [list.id, list]));
    const tasks = data.tasks.filter(({ taskListId }) => lists.has(taskListId));
    const common = {
      users: data.users,
      cardLabels: ofCards(data.cardLabels),
      cardMemberships: ofCards(data.cardMemberships),
      attachments: ofCards(data.attachments).map(shownFile),
    };
    if (isFirst) {
      const own = tasks.map(({ taskListId, ...task }) => {
        return { ...task, cardId: lists.get(taskListId)?.["cardId"] };
      });
      return { ...common, tasks: own };
    }
    const values = ofCards(data.customFieldValues);
    // The fields of shared groups come with their project only.
    const groups = data.customFieldGroups.filter(
      (group) => group["boardId"] === boardId || ids.has(group["cardId"] ?? ""),
    );
    const groupIds = new Set(groups.map((group) => group.id));
    const fields = data.customFields.filter((one) => groupIds.has(one["customFieldGroupId"]));
    const custom = { customFieldGroups: groups, customFields: fields, customFieldValues: values };
    return { ...common, taskLists, tasks, ...custom };
  };
  const shownCard = (card: Row): Row => {
    const total = data.comments.filter(({ cardId }) => cardId === card.id).length;
    return isFirst ? card : { ...card, commentsTotal: total };
  };
  return {
    projects: (): Reply => ({
      status: 200,
      body: { items: data.projects, included: { boards: data.boards, users: data.users } },
    }),
    project(id: string): Reply {
      const item = data.projects.find((one) => one.id === id);
      if (item === undefined || isFirst) return missing("Project");
      const groups = data.baseCustomFieldGroups.filter(({ projectId }) => projectId === id);
      const ids = new Set(groups.map((group) => group.id));
      const fields = data.customFields.filter((one) => ids.has(one["baseCustomFieldGroupId"]));
      const included = { baseCustomFieldGroups: groups, customFields: fields };
      return { status: 200, body: { item, included } };
    },
    board(id: string): Reply {
      const board = data.boards.find((one) => one.id === id);
      if (board === undefined) return missing("Board");
      const lists = data.lists.filter(({ boardId }) => boardId === id);
      const shown = isFirst ? lists.filter(finite) : lists;
      const withCards = new Set(lists.filter(finite).map((list) => list.id));
      const cards = data.cards.filter(({ listId }) => withCards.has(listId));
      const project = data.projects.filter((one) => one.id === board["projectId"]);
      return {
        status: 200,
        body: {
          item: board,
          included: {
            projects: project.map((one) => ({ ...one, isFavorite: undefined })),
            boardMemberships: data.boardMemberships.filter(({ boardId }) => boardId === id),
            labels: data.labels.filter(({ boardId }) => boardId === id),
            lists: isFirst ? shown.map((list) => ({ ...list, type: undefined })) : shown,
            cards: cards.map(shownCard),
            ...on(cards, id),
          },
        },
      };
    },
    archive(id: string, query: URLSearchParams): Reply {
      const before = JSON.parse(query.get("before") ?? "null");
      const cards = data.cards
        .filter(({ listId }) => listId === id)
        .toSorted((one, other) => (one["listChangedAt"] < other["listChangedAt"] ? 1 : -1))
        .filter((card) => before === null || card["listChangedAt"] < before.listChangedAt)
        .slice(0, page);
      return { status: 200, body: { items: cards.map(shownCard), included: on(cards) } };
    },
    comments(cardId: string, query: URLSearchParams): Reply {
      const beforeId = query.get("beforeId");
      const items = data.comments
        .filter((one) => one["cardId"] === cardId)
        .toSorted((one, other) => Number(other.id) - Number(one.id))
        .filter(({ id }) => beforeId === null || Number(id) < Number(beforeId))
        .slice(0, page)
        .map(({ text, ...comment }) =>
          isFirst ? { ...comment, type: "commentCard", data: { text } } : { ...comment, text },
        );
      return { status: 200, body: { items, included: { users: data.users } } };
    },
  };
}
