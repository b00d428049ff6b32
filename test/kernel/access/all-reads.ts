import { argumentsFor } from "../../api/mcp/tenant.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { toolsOf } from "../../../src/api/mcp/tools/index.ts";
import { hintsOf } from "../../../src/api/mcp/tool.ts";
import { translations } from "../../../src/api/kan/table.ts";
import { apisOf, operations, routeOf, send } from "./call.ts";
import { inputs } from "./inputs.ts";
import { canary } from "./make-hidden.ts";
import type { Actor } from "./actors.ts";
import type { World } from "./world.ts";

/** The values of an answer by their paths. */
export type Values = Record<string, string>;

/** A read of one actor, over one of the APIs. */
export type Read = { name: string; actor: Actor; ask: () => Promise<Values> };

/** The operations that answer once, and change nothing. */
const reads = operations.filter((operation) => routeOf(operation).definition.type === "query");

/** Cursors name a position in the log, which hidden events move on; they are sealed. */
const isCursor = (path: string) => /[cC]ursor$/.test(path);
const withoutCursors = (text: string) => text.replace(/cursor \\?"[^"]*"/g, "cursor");

function valuesOf(value: unknown, path = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value) ?? ""]];
  return Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, `${path}.${key}`));
}

/** An answer that is JSON, or a line of JSON for each part, or another text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.trim().split("\n");
    return lines.length > 1 && text.startsWith("{") ? lines.map(parsed) : text;
  }
}

const shown = ({ status, text }: { status: number; text: string }): Values => {
  const values = valuesOf(parsed(text)).filter(([path]) => !isCursor(path));
  return { status: String(status), ...Object.fromEntries(values) };
};

/** The paths at which two answers differ. */
export const differences = (one: Values, other: Values) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (path) => one[path] !== other[path],
  );

/** All reads of an actor on the fixtures: of REST, tRPC, `/kan` and the tools of MCP. */
export async function readsOf(world: World, actor: Actor): Promise<Read[]> {
  return [
    ...(await readsOfOperations(world, actor)),
    ...(await readsOfKan(world, actor)),
    ...(await readsOfTools(world, actor)),
  ];
}

async function readsOfOperations(world: World, actor: Actor): Promise<Read[]> {
  const made: Read[] = [];
  for (const operation of reads) {
    const { input, token = actor.token } = await inputs[operation](world, actor.who);
    for (const api of apisOf(operation)) {
      const ask = async () => shown(await send(world.app, api, operation, input, token));
      made.push({ name: `${api} ${operation}`, actor, ask });
    }
  }
  return made;
}

/** Queries that reads of `/kan` need. */
const queries: Readonly<Record<string, string>> = {
  "/workspaces/{workspacePublicId}/search": `?query=${canary}`,
  "/workspaces/check-slug-availability": "?workspaceSlug=some-slug",
  "/boards/{boardPublicId}/check-slug-availability": "?boardSlug=some-slug",
};

async function readsOfKan({ app, fixtures }: World, actor: Actor): Promise<Read[]> {
  const { ids, admin } = fixtures;
  const { body: board } = await admin.rest.get(`/boards/${ids.board}`);
  const names = new Map<string, string>([
    ...Object.entries(ids).map(([kind, id]) => [`${kind}PublicId`, id] as const),
    ["boardSlug", board.slug],
  ]);
  return translations
    .filter(({ method, translate }) => method === "GET" && translate !== undefined)
    .map(({ path }) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => names.get(name) ?? "");
      const url = `http://service/kan/api/v1${filled}${queries[path] ?? ""}`;
      const headers = { Authorization: `Bearer ${actor.token}` };
      const ask = async () => {
        const response = await app.fetch(new Request(url, { headers }));
        return shown({ status: response.status, text: await response.text() });
      };
      return { name: `/kan ${path}`, actor, ask };
    });
}

async function readsOfTools({ app, fixtures }: World, actor: Actor): Promise<Read[]> {
  const { ids, workspace, admin } = fixtures;
  const { body: card } = await admin.rest.get(`/cards/${ids.card}`);
  const named = argumentsFor({
    workspace,
    board: { publicId: ids.board, lists: [], labels: [] },
    list: ids.list,
    card: ids.card,
    other: ids.card,
    number: card.cardNumber,
    item: ids.checklistItem,
    checklist: ids.checklist,
    comment: ids.comment,
    member: ids.member,
  });
  const headers = {
    Authorization: `Bearer ${actor.token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  return toolsOf(appRouter)
    .filter((tool) => hintsOf(tool).readOnlyHint)
    .flatMap(({ name }) => {
      const whole: Record<string, unknown> = {
        ...named[name],
        ...(name === "card_search" ? { query: canary } : {}),
      };
      const { view: _, ...unnamed } = whole;
      // By its name alone, a tool looks through all that its caller sees.
      return [whole, unnamed, {}].map((given, nth) => ({ name, given, nth }));
    })
    .map(({ name, given, nth }) => {
      const params = { name, arguments: given };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const ask = async () => {
        const request = new Request("http://127.0.0.1:3000/mcp", { method: "POST", headers, body });
        const response = await app.fetch(request);
        const text = withoutCursors(await response.text());
        return { status: String(response.status), text };
      };
      return { name: `tool ${name} ${nth}`, actor, ask };
    });
}
