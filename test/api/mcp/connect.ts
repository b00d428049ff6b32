import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished } from "vitest";
import type { App } from "../../support/app.ts";

/** The versions of the protocol: that of sessions, and the one without. */
export const modes = ["2025", "2026"] as const;
export type Mode = (typeof modes)[number];

/** What a test does with a client of any version. */
export type Tools = {
  list: () => Promise<any[]>;
  /** Calls a tool that must succeed; answers its text. */
  call: (name: string, args?: Record<string, unknown>) => Promise<string>;
  /** Calls a tool that must fail; answers why. */
  fail: (name: string, args?: Record<string, unknown>) => Promise<string>;
  instructions: () => string | undefined;
};

/** Connects the official client, of the older or the current version, to an app in this process. */
export async function connect(
  app: App,
  token: string,
  { mode = "2026", path = "/mcp" }: { mode?: Mode; path?: string } = {},
): Promise<Tools> {
  const url = new URL(path, "http://127.0.0.1:3000");
  const sending = {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: (to: string | URL, init?: RequestInit) => app.fetch(new Request(to, init)),
  };
  const info = { name: "tests", version: "1.0.0" };
  const client =
    mode === "2026"
      ? new Client(info, { versionNegotiation: { mode: "auto" } })
      : new OldClient(info);
  if (client instanceof Client)
    await client.connect(new StreamableHTTPClientTransport(url, sending));
  else await client.connect(new OldTransport(url, sending));
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError = false } = (await client.callTool({ name, arguments: args })) as any;
    expect(content).toHaveLength(1);
    return { text: String(content[0].text), isError };
  };
  return {
    list: async () => (await client.listTools()).tools,
    async call(name, args) {
      const { text, isError } = await call(name, args);
      expect(isError, text).toBe(false);
      return text;
    },
    async fail(name, args) {
      const { text, isError } = await call(name, args);
      expect(isError, text).toBe(true);
      return text;
    },
    instructions: () => client.getInstructions(),
  };
}
