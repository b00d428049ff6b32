import type { Reply } from "./stand-in.ts";
import type { FakeTrello } from "./trello.ts";

type Json = Record<string, any>;

const remaining = {
  "x-rate-limit-api-token-remaining": "99",
  "x-rate-limit-api-token-interval-ms": "10000",
};
const ok = (body: object): Reply => ({ status: 200, headers: remaining, body });
const notFound: Reply = { status: 404, body: "The requested resource was not found." };

/** The answers of Trello about a board, its cards, its actions and their files. */
export function onBoard(
  trello: FakeTrello,
  path: string,
  query: URLSearchParams,
  authorization: string | undefined,
): Reply {
  const file = /^\/1\/cards\/[^/]+\/attachments\/([^/]+)\/download\/.+$/.exec(path)?.[1];
  if (file !== undefined) return download(trello, file, authorization);
  const [, id, items, filter] =
    /^\/1\/boards\/([^/]+)(?:\/(cards|actions)(?:\/([a-z]+))?)?$/.exec(path) ?? [];
  const board = trello.whole.find((one) => one["id"] === id || one["shortLink"] === id);
  if (board === undefined) return { status: 404, body: "board not found" };
  if (items === "actions") return page(actionsOf(board, query), query, 1_000);
  if (items === "cards") return page(cardsOf(board, filter ?? "visible", query), query, 1_000);
  return ok(boardView(board, query));
}

function download(
  { uploads, storage }: FakeTrello,
  id: string,
  authorization: string | undefined,
): Reply {
  const upload = uploads.get(id);
  // Files need the credential in the header. One in the URL is refused.
  if (authorization === undefined) return { status: 401, body: "unauthorized" };
  if (upload === undefined) return notFound;
  // The file is in a storage on another host, which accepts one kind of credential.
  const location = `${storage.url}/files/${id}?signature=once`;
  return { status: 302, headers: { location }, body: "" };
}

/** At most `limit` items before an id, newest first. */
function page(items: Json[], query: URLSearchParams, most: number): Reply {
  const limit = Number(query.get("limit") ?? 50);
  if (!(limit >= 0 && limit <= most)) return { status: 400, body: "invalid value for limit" };
  const before = query.get("before");
  const newest = items.toSorted((one, other) => (one["id"] < other["id"] ? 1 : -1));
  return ok(newest.filter(({ id }) => before === null || id < before).slice(0, limit));
}

function actionsOf(board: Json, query: URLSearchParams): Json[] {
  const types = query.get("filter")?.split(",");
  // Trello narrows a type by a field that the action changed: `updateCard:closed`.
  const namesOf = ({ type, data }: Json) => [
    type,
    ...Object.keys(data?.old ?? {}).map((field) => `${type}:${field}`),
  ];
  return board["actions"].filter(
    (action: Json) => types === undefined || namesOf(action).some((name) => types.includes(name)),
  );
}

function cardsOf(board: Json, filter: string, query: URLSearchParams): Json[] {
  const openLists = new Set(
    board["lists"].flatMap(({ id, closed }: Json) => (closed === true ? [] : [id])),
  );
  const visible = board["cards"].filter(
    ({ closed, idList }: Json) => filter === "all" || (!closed && openLists.has(idList)),
  );
  return visible.map((card: Json) => {
    const { attachments, stickers, customFieldItems, pluginData, ...rest } = card;
    return {
      ...rest,
      ...(query.get("attachments") === "true" ? { attachments } : {}),
      ...(query.get("stickers") === "true" ? { stickers } : {}),
      ...(query.get("customFieldItems") === "true" ? { customFieldItems } : {}),
      ...(query.get("pluginData") === "true" ? { pluginData } : {}),
      ...(query.get("checklists") === "all"
        ? { checklists: board["checklists"].filter(({ idCard }: Json) => idCard === rest["id"]) }
        : {}),
    };
  });
}

function boardView(board: Json, query: URLSearchParams): Json {
  const fields = query.get("fields")?.split(",") ?? [];
  const selected = Object.entries(board).filter(([field]) => fields.includes(field));
  const lists = board["lists"].filter(
    ({ closed }: Json) => query.get("lists") === "all" || !closed,
  );
  return {
    id: board["id"],
    ...Object.fromEntries(selected),
    ...(query.has("lists") ? { lists } : {}),
    ...(query.get("labels") === "all" ? { labels: board["labels"] } : {}),
    ...(query.get("members") === "all" ? { members: board["members"] } : {}),
    ...(query.get("customFields") === "true" ? { customFields: board["customFields"] } : {}),
    ...(query.get("pluginData") === "true" ? { pluginData: board["pluginData"] } : {}),
  };
}
