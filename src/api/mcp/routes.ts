import type { AnyRouter } from "@trpc/server";
import { Hono, type Context as HonoContext } from "hono";
import { me } from "../../domain/users/me.ts";
import { runProcedure } from "../../kernel/procedures/builder.ts";
import type { Context } from "../../kernel/request/context.ts";
import { countCalls } from "../../kernel/request/count-calls.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { badRequest, Failure } from "../../platform/errors.ts";
import { bodyBytes, readJsonText } from "../../platform/http/body.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { loadOnce } from "../../platform/load-once.ts";
import { originRule } from "../origins.ts";
import { recordFailure, recordOperation } from "../rest/call-log.ts";
import { createContext, readingOf, requestIdOf } from "../rest/create-context.ts";
import { errorResponse } from "../rest/error-response.ts";
import { chargeResponse } from "../rest/connection.ts";
import { messageMeant } from "./input.ts";
import { chosenGroups } from "./groups.ts";
import { parseJson } from "./json.ts";
import { isOfScope } from "./scope.ts";
import { mcpPaths } from "../../contract/vocabulary/mcp-paths.ts";
import { challengeWith, scopeChallenge } from "../oauth/metadata.ts";

/** The tools for language models, by the Model Context Protocol. */
export function mcpRoutes(router: AnyRouter, deps: Deps): Hono {
  const app = new Hono();
  // Most services have no such clients: the library is loaded for the first one.
  const load = loadOnce(async () => {
    const { handleMessage, toolsOf } = await import("./handle.ts");
    return { handleMessage, tools: toolsOf(router) };
  });
  const isAllowed = originRule(deps.config);
  const ownOrigin = new URL(deps.baseUrl).origin;

  async function answer(c: HonoContext, ctx: Context, headers: Headers): Promise<Response> {
    recordOperation(c.req.raw, "mcp");
    await countCalls(ctx, [undefined], headers);
    requireCredential(ctx);
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== ownOrigin && !isAllowed(origin)) return otherOrigin();
    const chosen = chosenGroups(c.req.query("tools"));
    const { handleMessage, tools } = await load();
    const body = c.req.method === "POST" ? await readMessage(c.req.raw, ctx) : undefined;
    const offer = {
      tools: tools.filter(({ group }) => chosen.includes(group)),
      isReadOnly: c.req.path === mcpPaths.readOnly,
    };
    const response = await handleMessage(c.req.raw, body, ctx, offer);
    // What runs no operation, such as a list of tools, is for callers with a valid credential too.
    if (!ctx.authentication.credentialVerified) await runProcedure(me, ctx, undefined);
    return response;
  }

  for (const path of Object.values(mcpPaths)) {
    app.all(path, async (c) => {
      const requestId = requestIdOf(c.req.raw);
      const headers: Headers = { "X-Request-Id": requestId };
      const ctx = await createContext(c, deps, requestId);
      // A call of a tool names its own.
      Object.assign(ctx, { ifMatch: undefined, idempotencyKey: undefined });
      try {
        const response = await chargeResponse(c, ctx, await answer(c, ctx, headers));
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
        response.headers.set("Cache-Control", "no-store");
        return response;
      } catch (error) {
        recordFailure(c.req.raw, error);
        const response = errorResponse(error, requestId, deps, headers);
        const challenge = response.headers.get("WWW-Authenticate");
        if (challenge !== null) {
          response.headers.set("WWW-Authenticate", challengeWith(challenge, path, deps));
        }
        // A host asks the person again, for more.
        if (isOfScope(error, ctx)) {
          response.headers.set("WWW-Authenticate", scopeChallenge(path, deps));
        }
        return response;
      }
    });
  }
  return app;
}

type Headers = Record<string, string>;

/** Reads the message of a request, within the limits of other calls. */
async function readMessage(request: Request, ctx: Context): Promise<unknown> {
  const message = messageMeant(parse(await readJsonText(request, readingOf(ctx, bodyBytes))));
  if (Array.isArray(message)) {
    throw badRequest("invalid_request", "Send one message of JSON-RPC in a request, not an array.");
  }
  return message;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw badRequest("invalid_json", "The request body is not valid JSON.");
  }
}

/** 403 for a page that may not call: MCP asks for it, against DNS rebinding. */
const otherOrigin = () =>
  Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_000, message: "CORS_ORIGINS does not name the origin of this page." },
    },
    { status: 403 },
  );
