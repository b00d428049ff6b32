import { createMcpHandler, INVALID_PARAMS, specTypeSchemas } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Context } from "../../kernel/request/context.ts";
import type { Failure } from "../../platform/errors.ts";
import { createServer, type Offer } from "./server.ts";

export { toolsOf } from "./tools/index.ts";

/** Answers one message of a client of any version of MCP; throws the 401 of a call in it. */
export async function handleMessage(
  request: Request,
  parsedBody: unknown,
  ctx: Context,
  offer: Offer,
): Promise<Response> {
  const invalid = invalidParamsIn(parsedBody);
  if (invalid !== undefined) return invalid;
  let refused: Failure | undefined;
  const refuse = (failure: Failure) => void (refused ??= failure);
  const handler = createMcpHandler(() => createServer(ctx, offer, refuse), {
    maxSubscriptions: 0,
    onerror: (error) => ctx.deps.log.debug({ err: error }, "MCP"),
  });
  const response = await handler.fetch(withAccept(request), { parsedBody });
  // Older clients get a stream, which ends with the answer.
  const body = await response.arrayBuffer();
  if (refused !== undefined) throw refused;
  return new Response(body.byteLength === 0 ? null : body, response);
}

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]),
  method: z.string(),
});

/** The shape of each request that a client sends. */
const shapes = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequest,
    ping: specTypeSchemas.PingRequest,
    "tools/list": specTypeSchemas.ListToolsRequest,
    "tools/call": specTypeSchemas.CallToolRequest,
  }),
);

/** The error of JSON-RPC for a request whose parameters are of wrong types: the library has none. */
function invalidParamsIn(body: unknown): Response | undefined {
  const { data } = Message.safeParse(body);
  if (data === undefined) return undefined;
  const { id, method } = data;
  const result = shapes.get(method)?.["~standard"].validate(data);
  // The arguments of a tool have its own schema, and without parameters most requests have defaults.
  const isOfTool = (path: string) => path === "params" || path.startsWith("params.arguments");
  const issue = (result?.issues ?? [])
    .map(({ message, path = [] }) => ({ message, path: path.map(keyOf).join(".") }))
    .find(({ path }) => method === "initialize" || !isOfTool(path));
  if (issue === undefined) return undefined;
  const message = `Invalid params: ${issue.path}: ${issue.message}`;
  return Response.json({ jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message } });
}

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === "object" ? segment.key : segment);

/** A request of a client that accepts anything; the library asks for both types by their names. */
function withAccept(request: Request): Request {
  const accepted = request.headers.get("accept") ?? "*/*";
  if (!accepted.split(",").some((type) => /^\s*\*\/\*\s*(?:;|$)/.test(type))) return request;
  const headers = new Headers(request.headers);
  headers.set("Accept", "application/json, text/event-stream");
  const { url, method, signal } = request;
  return new Request(url, { method, headers, signal });
}
