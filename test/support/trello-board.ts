import type { Reply } from "./stand-in.ts";
import type { FakeTrello } from "./trello.ts";

type Thing = Record<string, any>;

const remaining = {
  "x-rate-limit-api-token-remaining": "99",
  "x-rate-limit-api-token-interval-ms": "10000",
};
const ok = (body: object): Reply => ({ status: 200, headers: remaining, body });
const notFound: Reply = { status: 404, body: "The requested resource was not found." };

/** What Trello answers about one board, its cards, its actions, and the files on them. */
export function onBoard(
  trello: FakeTrello,
  path: string,
  query: URLSearchParams,
  authorization: string | undefined,
): Reply {
  const file = /^\/1\/cards\/[^/]+\/attachments\/([^/]+)\/download\/.+$/.exec(path)?.[1];
  if (file !== undefined) return download(trello, file, authorization);
  const [, id, things, filter] =
    /^\/1\/boards\/([^/]+)(?:\/(cards|actions)(?:\/([a-z]+))?)?$/.exec(path) ?? [];
  const board = trello.whole.find((one) => one["id"] === id || one["shortLink"] === id);
  if (board === undefined) return { status: 404, body: "board not found" };
  if (things === "actions") return page(actionsOf(board, query), query, 1_000);
  if (things === "cards") return page(cardsOf(board, filter ?? "visible", query), query, 1_000);
  return ok(boardView(board, query));
}

function download({ uploads }: FakeTrello, id: string, authorization: string | undefined): Reply {
  const upload = uploads.get(id);
  // Its files are given to the header only, never to credentials in the address.
  if (authorization === undefined) return { status: 401, body: "unauthorized" };
  if (upload === undefined) return notFound;
  return { status: 200, headers: { "content-type": upload.type }, body: upload.bytes };
}

/** Newest first, `limit` of those before an id. */
function page(things: Thing[], query: URLSearchParams, most: number): Reply {
  const limit = Number(query.get("limit") ?? 50);
  if (!(limit >= 0 && limit <= most)) return { status: 400, body: "invalid value for limit" };
  const before = query.get("before");
  const newest = things.toSorted((one, other) => (one["id"] < other["id"] ? 1 : -1));
  return ok(newest.filter(({ id }) => before === null || id < before).slice(0, limit));
}

function actionsOf(board: Thing, query: URLSearchParams): Thing[] {
  const types = query.get("filter")?.split(",");
  return board["actions"].filter(({ type }: Thing) => types?.includes(type) ?? true);
}

function cardsOf(board: Thing, filter: string, query: URLSearchParams): Thing[] {
  const openLists = new Set(
    board["lists"].flatMap(({ id, closed }: Thing) => (closed === true ? [] : [id])),
  );
  const wanted = board["cards"].filter(
    ({ closed, idList }: Thing) => filter === "all" || (!closed && openLists.has(idList)),
  );
  return wanted.map((card: Thing) => {
    const { attachments, stickers, customFieldItems, pluginData, ...rest } = card;
    return {
      ...rest,
      ...(query.get("attachments") === "true" ? { attachments } : {}),
      ...(query.get("stickers") === "true" ? { stickers } : {}),
      ...(query.get("customFieldItems") === "true" ? { customFieldItems } : {}),
      ...(query.get("pluginData") === "true" ? { pluginData } : {}),
      ...(query.get("checklists") === "all"
        ? { checklists: board["checklists"].filter(({ idCard }: Thing) => idCard === rest["id"]) }
        : {}),
    };
  });
}

function boardView(board: Thing, query: URLSearchParams): Thing {
  const fields = query.get("fields")?.split(",") ?? [];
  const kept = Object.entries(board).filter(([field]) => fields.includes(field));
  const lists = board["lists"].filter(
    ({ closed }: Thing) => query.get("lists") === "all" || !closed,
  );
  return {
    id: board["id"],
    ...Object.fromEntries(kept),
    ...(query.has("lists") ? { lists } : {}),
    ...(query.get("labels") === "all" ? { labels: board["labels"] } : {}),
    ...(query.get("members") === "all" ? { members: board["members"] } : {}),
    ...(query.get("customFields") === "true" ? { customFields: board["customFields"] } : {}),
    ...(query.get("pluginData") === "true" ? { pluginData: board["pluginData"] } : {}),
  };
}
