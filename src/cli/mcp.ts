import type { CallToolResult, DiscoverResult, ListToolsResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { version } from "../platform/version.ts";
import type { Api } from "./api.ts";
import { command } from "./command.ts";
import { readKeyConnection } from "./config.ts";

const protocol = "2026-07-28";
const prefix = "io.modelcontextprotocol";
/** What a message of this version says of its sender. */
const sender = {
  [`${prefix}/protocolVersion`]: protocol,
  [`${prefix}/clientInfo`]: { name: "wbs", version },
  [`${prefix}/clientCapabilities`]: {},
};

type Asked = { method: string; params?: Record<string, unknown> };

/** Sends a message to the tools of the service, and answers the result or throws its error. */
async function ask<Result>(api: Api, path: string, { method, params = {} }: Asked) {
  const { name } = params;
  const response = await api.json(Answer, path, {
    method: "POST",
    root: "",
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": protocol,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    json: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: sender } },
  });
  if ("error" in response) throw new Error(response.error.message);
  return z.custom<Result>().parse(response.result);
}

const Answer = z.union([
  z.object({ result: z.record(z.string(), z.unknown()) }),
  z.object({ error: z.object({ message: z.string() }) }),
]);

/** Serves the tools of a service over standard input and output, for desktop clients. */
export const mcp = command(
  "wbs mcp",
  "Serve the tools for language models over standard input and output",
  {
    readonly: { type: "boolean", description: "Only tools that read" },
    tools: {
      type: "string",
      description: "Only these groups: read,cards,boards,batch",
      valueHint: "groups",
    },
  },
  async ({ readonly, tools }, api) => {
    const query = tools === undefined ? "" : `?tools=${encodeURIComponent(tools)}`;
    const path = `/mcp${readonly === true ? "/readonly" : ""}${query}`;
    // It also shows at once whether the service answers and accepts the key.
    const about = await ask<DiscoverResult>(api, path, { method: "server/discover" });
    const { Server } = await import("@modelcontextprotocol/server");
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    serveStdio(() => {
      const server = new Server(
        { name: "workspace-board-service", title: "Workspace Board Service", version },
        { capabilities: { tools: {} }, instructions: about.instructions ?? "" },
      );
      server.setRequestHandler("tools/list", ({ method }) =>
        ask<ListToolsResult>(api, path, { method }),
      );
      server.setRequestHandler("tools/call", ({ method, params }) => {
        const { name, arguments: toolArguments = {} } = params;
        return ask<CallToolResult>(api, path, {
          method,
          params: { name, arguments: toolArguments },
        });
      });
      return server;
    });
  },
  readKeyConnection,
);
