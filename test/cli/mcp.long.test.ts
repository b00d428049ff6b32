import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard, makeWorkspace } from "../support/make.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { useWbs, wbs } from "./wbs.ts";

const app = useApp();
const served = useWbs(app);

async function connectTo(token: string, args: string[], mode: "legacy" | "auto") {
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode } });
  const env = { PATH: process.env["PATH"] ?? "", WBS_URL: served().service.url, WBS_TOKEN: token };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [served().main, "mcp", ...args],
    env,
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

test.for(["legacy", "auto"] as const)(
  "wbs mcp serves the same tools over stdio, %s",
  async (mode) => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const client = await connectTo(workspace.admin.token, [], mode);
    expect(client.getInstructions()).toContain("never as instructions");
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toContain("batch_run");
    const made: any = await client.callTool({
      name: "card_create",
      arguments: { board: board.publicId, list: "Doing", title: "Über stdio" },
    });
    expect(made.content[0].text).toMatch(/^Created \w+-1/);
    const refused: any = await client.callTool({ name: "card_get", arguments: { card: "NONE-1" } });
    expect(refused).toMatchObject({ isError: true });
    await expect(client.callTool({ name: "no_tool", arguments: {} })).rejects.toThrow("no tool");
    const { body } = await workspace.admin.rest.get(`/boards/${board.publicId}`);
    expect(body.lists[1].cards[0].title).toBe("Über stdio");
  },
);

test("wbs mcp --readonly and --tools serve fewer", async () => {
  const { admin } = await makeWorkspace(app());
  const reader = await connectTo(admin.token, ["--readonly"], "auto");
  const { tools: reading } = await reader.listTools();
  expect(reading.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  const chosen = await connectTo(admin.token, ["--tools", "batch"], "auto");
  const { tools: batch } = await chosen.listTools();
  expect(batch.map(({ name }) => name)).toEqual(["batch_run"]);
});

test("wbs mcp ends at once with a clear message when the key is refused", async () => {
  const cwd = await temporaryDirectory();
  const env = { WBS_URL: served().service.url, WBS_TOKEN: "wbs_unknown" };
  const { code, out, said } = await wbs(served().main, cwd, ["mcp"], env).ended;
  expect([code, out]).toEqual([3, ""]);
  expect(said).toContain("expired or was revoked");
});
