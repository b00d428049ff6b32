import { expect, test } from "vitest";
import { toolsOf } from "../../../src/api/mcp/tools/index.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import {
  makeBoard,
  makeCard,
  makeUser,
  makeWorkspace,
  type Workspace,
} from "../../support/make.ts";
import { connect, modes, type Tools } from "./connect.ts";
import { argumentsFor, secret, tenantOf } from "./tenant.ts";

const app = useApp();
const tools = toolsOf(appRouter);
const tenant = () => tenantOf(app());

/** The number of events of a workspace, which every write raises. */
async function eventsOf({ publicId, admin }: Workspace): Promise<number> {
  let [count, cursor] = [0, ""];
  for (;;) {
    const { body } = await admin.rest.get(`/workspaces/${publicId}/events?limit=100${cursor}`);
    if (body.items.length === 0) return count;
    count += body.items.length;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

const keyOf = async ({ admin }: Workspace, bounds: Record<string, unknown>) => {
  const input = { name: "agent", password: "a password for tests", ...bounds };
  const { body, status } = await admin.rest.post("/auth/api-keys", input);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.key as string;
};

/** What each tool answers to some arguments: failures begin with `!`. */
async function responsesOf({ call, fail }: Tools, args: ReturnType<typeof argumentsFor>) {
  const responses: Record<string, string> = {};
  for (const { name } of tools) {
    responses[name] = await call(name, args[name]).catch(
      async () => `!${await fail(name, args[name])}`,
    );
  }
  return responses;
}

test("each tool has arguments here, and the owner may run all of them", async () => {
  const owned = await tenant();
  const args = argumentsFor(owned);
  expect(Object.keys(args)).toEqual(tools.map(({ name }) => name));
  const { call } = await connect(app(), owned.workspace.admin.token);
  for (const { name } of tools) {
    const before = await eventsOf(owned.workspace);
    await call(name, args[name]);
    const isRead = tools.find((tool) => tool.name === name)?.group === "read";
    const isSame = (await eventsOf(owned.workspace)) === before;
    expect(isSame, name).toBe(isRead);
    if (name === "card_archive") await call(name, { card: owned.card, isArchived: false });
  }
});

test("no tool shows or changes anything of another tenant, by id or by name", async () => {
  const owned = await tenant();
  const stranger = await makeWorkspace(app());
  await makeBoard(stranger);
  const before = await eventsOf(owned.workspace);
  const { call, fail } = await connect(app(), stranger.admin.token);
  const ids = argumentsFor(owned);
  const names = argumentsFor({ ...owned, list: secret, card: owned.number });
  for (const { name } of tools) {
    for (const args of [ids[name] ?? {}, names[name] ?? {}]) {
      const isOwn = name === "workspace_list";
      const said = isOwn ? await call(name, args) : await fail(name, args);
      const echoed = JSON.stringify(args);
      expect(echoed.includes(secret) ? "" : said, name).not.toContain(secret);
      for (const id of [owned.workspace.slug, owned.workspace.publicId, owned.board.publicId]) {
        if (!echoed.includes(id)) expect(said, name).not.toContain(id);
      }
    }
  }
  expect(await eventsOf(owned.workspace)).toBe(before);
});

test.for(modes)("/mcp/readonly lists and runs only tools that read, in %s", async (mode) => {
  const owned = await tenant();
  const args = argumentsFor(owned);
  const before = await eventsOf(owned.workspace);
  const token = owned.workspace.admin.token;
  const { list, call } = await connect(app(), token, { mode, path: "/mcp/readonly" });
  const reading = tools.filter(({ group }) => group === "read").map(({ name }) => name);
  expect((await list()).map(({ name }) => name)).toEqual(reading);
  for (const { name, group } of tools) {
    if (group === "read") await call(name, args[name]);
    else await expect(call(name, args[name]), name).rejects.toThrow(`There is no tool ${name}`);
  }
  expect(await eventsOf(owned.workspace)).toBe(before);
});

test("a read-only key reads with every tool and writes with none", async () => {
  const owned = await tenant();
  const key = await keyOf(owned.workspace, { readOnly: true });
  const before = await eventsOf(owned.workspace);
  const responses = await responsesOf(await connect(app(), key), argumentsFor(owned));
  for (const { name, group } of tools) {
    if (group === "read") expect(responses[name], name).not.toMatch(/^!/);
    else expect(responses[name], name).toContain("This API key may only read.");
  }
  expect(await eventsOf(owned.workspace)).toBe(before);
});

test("a key that is bound to a board works there by names, and nowhere else", async () => {
  const owned = await tenant();
  const { workspace } = owned;
  const other = await makeBoard(workspace);
  await makeCard(workspace.admin, other.lists[0] ?? "", "Hidden elsewhere");
  const key = await keyOf(workspace, { boardPublicId: owned.board.publicId });
  const { call, fail } = await connect(app(), key);
  expect(await call("board_list")).not.toContain(other.publicId);
  expect(await call("board_get", { board: secret })).toContain(secret);
  await call("card_create", { list: "Other", title: "By the key", members: ["me"] });
  await call("card_move", { card: owned.number, list: "other" });
  expect(await call("card_search", { query: "hidden" })).toContain("Nothing matches.");
  expect(await call("change_list")).not.toContain("Hidden elsewhere");
  expect(await fail("board_get", { board: other.publicId })).toContain("bound to one board");
  const { body } = await workspace.admin.rest.get(`/boards/${other.publicId}`);
  const { cardNumber } = body.lists[0].cards[0];
  expect(await fail("card_get", { card: cardNumber })).toContain(`No card ${cardNumber}`);
  const { body: history } = await workspace.admin.rest.get(`/cards/${owned.card}/activities`);
  expect(history.items[0].actor).toMatchObject({ type: "apiKey", name: "agent" });
});

test("a stranger without a workspace is told so", async () => {
  const { token } = await makeUser(app());
  const { call, fail } = await connect(app(), token);
  expect(await call("workspace_list")).toContain("You are in no workspace.");
  expect(await fail("board_list")).toBe("You can see no workspace there.");
});
