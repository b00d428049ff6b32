import { createMcpHandler } from "@modelcontextprotocol/server";
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
  let refused: Failure | undefined;
  const refuse = (failure: Failure) => void (refused ??= failure);
  const handler = createMcpHandler(() => createServer(ctx, offer, refuse), {
    maxSubscriptions: 0,
    onerror: (error) => ctx.deps.log.debug({ err: error }, "MCP"),
  });
  const response = await handler.fetch(request, { parsedBody });
  // Older clients get a stream, which ends with the answer.
  const body = await response.arrayBuffer();
  if (refused !== undefined) throw refused;
  return new Response(body.byteLength === 0 ? null : body, response);
}
