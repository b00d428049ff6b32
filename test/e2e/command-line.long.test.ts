import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/client/index.ts";
import { useService } from "./service.ts";

const service = useService();
const run = promisify(execFile);
const password = "correct horse battery";
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "board-command-line-"));
  const client = createClient({ url: service() });
  const account = { email: "command@example.com", password, name: "Ada" };
  await client.account.register(account);
  await client.workspace.create({ name: "Home", slug: "home" });
  const { key } = await client.auth.createApiKey({ name: "Script", password });
  environment = {
    PATH: `${join(folder, "global", "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    npm_config_cache: join(folder, "cache"),
    npm_config_prefix: join(folder, "global"),
    // Nothing comes from a registry.
    npm_config_registry: "http://127.0.0.1:9",
    npm_config_update_notifier: "false",
    WBS_URL: service(),
    WBS_TOKEN: key,
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The text of a page, with the address of the running service. */
const page = async (path: string) =>
  (await readFile(path, "utf8")).replaceAll(
    /http:\/\/127\.0\.0\.1:3000|https:\/\/boards\.example\.com(?!\/kan)/g,
    service(),
  );

/** Runs a command in an empty folder. */
async function inEmptyFolder(command: string) {
  const cwd = await mkdtemp(join(folder, "empty-"));
  return run("sh", ["-c", command], { cwd, env: environment });
}

test("no page names a package of a registry for the command line", async () => {
  const docs = (await readdir("docs")).filter((name) => name.endsWith(".md"));
  for (const path of ["README.md", ...docs.map((name) => `docs/${name}`)]) {
    const text = await page(path);
    const commands = [...text.matchAll(/\b(?:npx|npm exec|bunx|pnpx|pnpm dlx)((?: -\S+)*) (\S+)/g)];
    const named = commands.map(([, , name = ""]) => name.replace(/[`"',.)]+$/, ""));
    const isOurs = (name: string) => name === `${service()}/docs/wbs.tgz`;
    // Other programs have packages of their own.
    const isNamedSo = (name: string) => /\b(?:wbs|workspace-board-service)\b/.test(name);
    const strange = named.filter((name) => isNamedSo(name) && !isOurs(name));
    expect([path, strange]).toEqual([path, []]);
    expect(text).not.toMatch(/"args": \["wbs"/);
  }
});

test("the command of the quick start fills the service from an empty folder", async () => {
  const [, command = ""] = /`(npx \S+ seed)`/.exec(await page("docs/quick-start.md")) ?? [];
  const { stdout } = await inEmptyFolder(command.replace("npx", "npx --yes"));
  expect(stdout).toContain("ada@");
});

test("the installed command line exports a workspace, and says that it is not the service", async () => {
  const [, install = ""] =
    /```sh\n(npm install --global .*)\n/.exec(await page("docs/imports.md")) ?? [];
  await inEmptyFolder(install);
  const { stdout } = await inEmptyFolder("wbs export workspace home -o -");
  expect(JSON.parse(stdout)).toMatchObject({ workspace: { name: "Home" } });
  await expect(inEmptyFolder("wbs serve")).rejects.toThrow(/only the command line.*npm start/s);
});

const Servers = z.object({
  mcpServers: z.object({ boards: z.object({ command: z.string(), args: z.array(z.string()) }) }),
});

test("the configuration of agents.md starts the tools from an empty folder", async () => {
  const blocks = [...(await page("docs/agents.md")).matchAll(/```json\n([^]*?)```/g)];
  const [, text = ""] = blocks.find(([, json]) => json?.includes('"command"')) ?? [];
  const { command, args } = Servers.parse(JSON.parse(text)).mcpServers.boards;
  const cwd = await mkdtemp(join(folder, "empty-"));
  const client = new Client({ name: "a desktop client", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd, env: environment }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("card_create");
  await client.close();
});
