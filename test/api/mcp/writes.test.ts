import { expect, test } from "vitest";
import { toolsOf } from "../../../src/api/mcp/tools/index.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { connect } from "./connect.ts";

const app = useApp();
const tools = toolsOf(appRouter);

async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest, token } = workspace.admin;
  const board = await makeBoard(workspace);
  const [first = ""] = board.lists;
  const card = await makeCard(workspace.admin, first, "First");
  return { workspace, rest, token, board, card, first, ...(await connect(app(), token)) };
}

test("expected values hold while comments raise the version, and fail when a field changes", async () => {
  const { rest, card, call, fail } = await scene();
  const before = (await rest.get(`/cards/${card}`)).body.version;
  await rest.post(`/cards/${card}/comments`, { comment: "Meanwhile" });
  expect(await fail("card_update", { card, title: "Second", ifVersion: before })).toContain(
    "(stale)",
  );
  const expected = {
    title: "First",
    dueDate: null,
    list: "to do".replace("to", "To"),
    isArchived: false,
  };
  await call("card_update", { card, title: "Second", expected });
  const said = await fail("card_update", { card, title: "Third", expected });
  expect(said).toContain('title is now "Second"');
  expect((await rest.get(`/cards/${card}`)).body.title).toBe("Second");
  await call("card_update", { card, dueDate: "2030-01-02", expected: { title: "Second" } });
  await call("card_update", {
    card,
    title: "Third",
    expected: { dueDate: "2030-01-02T01:00:00+01:00" },
  });
  expect(await fail("card_move", { card, expected: { colour: "red" } })).toContain(
    "can be expected",
  );
});

test("of two moves that expect the same list, one wins", async () => {
  const { card, call, fail, rest } = await scene();
  const move = (list: string) => ({ card, list, expected: { list: "To do" } });
  const results = await Promise.allSettled([
    call("card_move", move("Doing")),
    call("card_move", move("Done")),
  ]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await fail("card_move", move("Done"))).toContain("list is now");
  expect((await rest.get(`/cards/${card}`)).body.index).toBe(0);
});

test("a repeated call with the same requestKey changes nothing more; arguments alone do not make it one", async () => {
  const { card, call, fail, rest } = await scene();
  const once = { card, comment: "Once", requestKey: "key-1" };
  const said = await call("comment_create", once);
  expect(await call("comment_create", once)).toBe(said);
  expect((await rest.get(`/cards/${card}`)).body.commentCount).toBe(1);
  expect(await fail("comment_create", { ...once, comment: "Other" })).toContain(
    "idempotency_key_reused",
  );
  await call("comment_create", { card, comment: "Twice" });
  await call("comment_create", { card, comment: "Twice" });
  expect((await rest.get(`/cards/${card}`)).body.commentCount).toBe(3);
  // The expected values held at the first time.
  const move = { card, list: "Doing", expected: { list: "To do" }, requestKey: "key-2" };
  const moved = await call("card_move", move);
  expect(await call("card_move", move)).toBe(moved);
});

test("a batch is one transaction", async () => {
  const { workspace, card, board, call, fail, rest } = await scene();
  const calls = [
    { tool: "card_update", arguments: { card, title: "Changed" } },
    { tool: "card_create", arguments: { board: board.publicId, list: "Doing", title: "" } },
  ];
  expect(await fail("batch_run", { calls })).toContain("It failed at calls.1.");
  expect((await rest.get(`/cards/${card}`)).body.title).toBe("First");
  const good = [
    calls[0],
    { tool: "list_create", arguments: { board: board.publicId, name: "New" } },
  ];
  expect(await call("batch_run", { calls: good, dryRun: true })).toContain("Would have run:");
  expect((await rest.get(`/cards/${card}`)).body.title).toBe("First");
  const key = { calls: good, requestKey: "batch" };
  const said = await call("batch_run", key);
  expect(await call("batch_run", key)).toBe(said);
  expect((await rest.get(`/boards/${board.publicId}`)).body.lists).toHaveLength(4);
  const refused = [
    [
      { tool: "board_get", arguments: { board: board.publicId } },
      "calls.0: board_get is not one of",
    ],
    [{ tool: "card_move", arguments: { card, expected: {} } }, "expected does not apply here"],
    [{ tool: "card_move", arguments: { cards: card } }, "calls.0.arguments.card"],
  ] as const;
  for (const [one, reason] of refused) {
    expect(await fail("batch_run", { workspace: workspace.slug, calls: [one] })).toContain(reason);
  }
});

test("names mean what they say, and several meanings are listed", async () => {
  const { workspace, token, rest, call, fail, board, card } = await scene();
  const create = (name: string, to = workspace.publicId) =>
    rest.post(`/workspaces/${to}/boards`, { name, lists: ["Doing", "doing", "Later"] });
  const { body: one } = await create("Website");
  const { body: two } = await create("Website");
  const ambiguous = await fail("board_get", { board: "website" });
  expect(ambiguous).toContain('2 boards are called "website". Use an id:');
  expect(ambiguous).toContain(one.publicId);
  expect(ambiguous).toContain(two.publicId);
  expect(await fail("board_get", { board: "Webseite" })).toContain('There is: "Board');
  expect(await call("board_get", { board: two.slug })).toContain(two.publicId);
  const at = { board: one.publicId, title: "By name" };
  await call("card_create", { ...at, list: "Doing" });
  expect(await fail("card_create", { ...at, list: "DOING" })).toContain("2 lists are called");
  expect(await fail("card_create", { list: "Doing", title: "Where" })).toContain("Name the board:");
  expect(await fail("card_create", { ...at, list: "Later", labels: ["Bug"] })).toContain(
    "You can see no label there.",
  );
  const ann = await join(app(), workspace, "member");
  await join(app(), workspace, "member");
  expect(await fail("card_update", { card, addMembers: ["A member"] })).toContain(
    `2 members are called "A member". Use an id:`,
  );
  await call("card_update", { card, addMembers: [ann.memberPublicId, "me", ann.email] });
  expect((await rest.get(`/cards/${card}`)).body.members).toHaveLength(2);
  expect(await fail("card_get", { card: "NONE-1" })).toContain("Your workspaces number cards");
  expect(await fail("card_get", { card: `${workspace.cardPrefix}-999` })).toContain("No card");
  expect(await fail("card_get", { card: "First" })).toContain("card_search");
  const { body: list } = await rest.get(`/boards/${board.publicId}/cards`);
  const { cardNumber } = list.items[0];
  expect(await call("card_get", { card: String(cardNumber).split("-")[1] ?? "" })).toContain(
    "First",
  );

  const other = await makeWorkspace(app(), workspace.admin);
  await create("Website", other.publicId);
  const both = await fail("board_get", { board: "Website" });
  expect(both).toContain("3 boards are called");
  const { call: again } = await connect(app(), token);
  expect(await again("board_get", { board: "Website", workspace: other.slug })).toContain("Later");
  expect(await fail("board_list")).toContain("Name the workspace:");
});

test("archived lists and cards come back by the same tools", async () => {
  const { board, card, call } = await scene();
  const at = { board: board.publicId };
  await call("list_update", { ...at, list: "Done", isArchived: true });
  expect(await call("board_get", at)).not.toContain('"Done"');
  await call("list_update", { ...at, list: "Done", isArchived: false, position: "start" });
  await call("list_update", { ...at, list: "Done", after: "Doing", name: "Finished", wipLimit: 3 });
  expect(await call("board_get", at)).toContain('list "Finished" (0 cards, limit 3):');
  await call("card_archive", { card });
  expect(await call("board_get", { ...at, archived: true })).toContain('"First"; archived');
  await call("card_archive", { card, isArchived: false });
  await call("label_update", { ...at, label: "Label 0", name: "Bug" });
  await call("card_update", { card, addLabels: ["Bug"], startDate: "2030-01-01", priority: "low" });
  expect(await call("card_list", { ...at, label: "bug", sort: "dueDate" })).toContain(
    'labels "Bug"; starts 2030-01-01; priority low',
  );
  await call("board_update", { ...at, isArchived: true });
  expect(await call("board_list", { archived: true })).toContain(board.publicId);
});

test("bad arguments are errors of the tool, with the argument and the remedy", async () => {
  const { card, fail } = await scene();
  expect(await fail("card_get", {})).toContain("card: ");
  expect(await fail("card_get", { card, extra: 1 })).toContain("extra: Unknown field");
  expect(await fail("card_update", { card, dueDate: "soon" })).toContain("dueDate: ");
  expect(await fail("card_update", { card, title: "a\u0000b" })).toContain("invalid_text");
  expect(await fail("card_update", { card, requestKey: "ü", title: "x" })).toContain(
    "requestKey: ",
  );
  expect(await fail("change_list", { cursor: "not a cursor" })).toContain("cursor");
  expect(await fail("card_search", { query: "" })).toContain("query: ");
});

test("no tool passes over an unknown argument", async () => {
  const { board, card, fail } = await scene();
  for (const { name } of tools) expect(await fail(name, { unknown: 1 }), name).toContain("unknown");
  const checklists = [{ name: "Steps", item: ["One"] }];
  const create = { board: board.publicId, list: "Doing", title: "New", checklists };
  expect(await fail("card_create", create)).toContain("checklists.0.item");
  expect(await fail("card_move", { card, expected: { colour: 1 } })).toContain("expected.colour");
});

test("the only board may be left out in every tool", async () => {
  const { call, card, fail, workspace } = await scene();
  const args: Record<string, Record<string, unknown>> = {
    board_get: {},
    card_list: {},
    card_count: {},
    card_search: { query: "First" },
    member_list: {},
    change_list: {},
    card_create: { list: "Doing", title: "New" },
    card_move: { card, list: "Doing" },
    card_next: {},
    board_update: { description: "The only one" },
    list_create: { name: "More" },
    list_update: { list: "More", name: "Even more" },
    label_create: { name: "Bug" },
    label_update: { label: "Bug", name: "Fault" },
  };
  const withBoard = tools.filter(({ input }) => "board" in input.shape).map(({ name }) => name);
  expect(Object.keys(args)).toEqual(withBoard);
  for (const name of withBoard) await call(name, args[name]);
  await makeBoard(workspace);
  for (const name of withBoard.filter((one) => !/^(card_search|change_list|card_move)$/.test(one)))
    expect(await fail(name, args[name]), name).toContain("Name the board: ");
});

test("a rename that is repeated with its key is answered, although the old name is gone", async () => {
  const { board, card, call, fail, rest } = await scene();
  await call("checklist_create", { card, name: "Steps", items: ["one"] });
  const { name } = (await rest.get(`/boards/${board.publicId}`)).body;
  const at = { board: board.publicId };
  const renames: [tool: string, args: Record<string, unknown>, name: string][] = [
    ["label_update", { ...at, label: "Label 0" }, "Bug"],
    ["list_update", { ...at, list: "Done" }, "Finished"],
    ["board_update", { board: name }, "Website"],
    ["item_update", { card, item: "one" }, "two"],
  ];
  for (const [tool, args, to] of renames) {
    const renamed = { ...args, [tool === "item_update" ? "title" : "name"]: to };
    const keyed = { ...renamed, requestKey: `${tool}-1` };
    const said = await call(tool, keyed);
    expect(said).toContain(to);
    const { body } = await rest.get(`/boards/${board.publicId}`);
    expect(await call(tool, keyed)).toBe(said);
    expect((await rest.get(`/boards/${board.publicId}`)).body).toEqual(body);
    const unknown = tool === "item_update" ? 'No item is called "one"' : "is called";
    expect(await fail(tool, renamed)).toContain(unknown);
    expect(await fail(tool, { ...renamed, requestKey: `${tool}-2` })).toContain(unknown);
    const calls = [{ tool, arguments: renamed }];
    expect(await fail("batch_run", { calls })).toContain("calls.0: No ");
  }
});

test("an archived board comes back by its name", async () => {
  const { board, call, fail, rest } = await scene();
  await rest.put(`/boards/${board.publicId}`, { name: "Old" });
  await call("board_update", { board: "Old", isArchived: true });
  await call("board_update", { board: "old", isArchived: false });
  expect(await fail("board_update", { board: "Older" })).toContain('There is: "Old"');
});

test("a cursor is one of the tool's, and after the last item it says so", async () => {
  const { call, fail } = await scene();
  expect(await fail("workspace_list", { cursor: "broken" })).toContain("not one of this tool's");
  for (const tool of [
    "workspace_list",
    "board_list",
    "card_list",
    "member_list",
    "card_mine",
    "view_list",
  ])
    expect(await call(tool, { cursor: "999~" }), tool).toContain("Nothing follows this cursor.");
  for (const { name, input } of tools.filter((tool) => "cursor" in tool.input.shape)) {
    const needed = "query" in input.shape ? { query: "First" } : {};
    const card = name === "card_get" ? { card: "1" } : {};
    expect(await fail(name, { ...needed, ...card, cursor: "no cursor" }), name).toContain("cursor");
  }
});

test("no argument makes a fault of the service", async () => {
  const { call, fail, board, card } = await scene();
  const values: unknown[] = [
    null,
    0,
    -1,
    1e308,
    "",
    " ",
    "me",
    "\u0000",
    "\ud800",
    "a".repeat(70_000),
    [],
    {},
    [[]],
    true,
    { __proto__: null, publicId: 1 },
    [board.publicId],
    card,
    board.publicId,
    "1~",
    "0-0",
    "~~",
    "999999-aaaaaaaaaaaa",
    "999~x",
    "2026-99-99",
    "X-1",
    "9999999999",
  ];
  let nth = 0;
  const valid: Record<string, unknown> = { board: board.publicId, card, list: board.lists[1] };
  for (const tool of tools) {
    const names = Object.keys(tool.input.shape);
    for (const name of names) {
      for (let round = 0; round < 2; round++) {
        const args: Record<string, unknown> = Object.fromEntries(
          names.flatMap((one) => (valid[one] === undefined ? [] : [[one, valid[one]]])),
        );
        args[name] = values[nth++ % values.length];
        await call(tool.name, args).catch(() => fail(tool.name, args));
      }
    }
  }
  expect(nth).toBeGreaterThan(150);
  expect(app().errors).toEqual([]);
});

test("agents that ask for the next card at once each get another", async () => {
  const { workspace, board, first, call, fail, rest } = await scene();
  for (let nth = 0; nth < 4; nth++) await makeCard(workspace.admin, first, `Card ${nth}`);
  const next = { board: board.publicId, list: "To do", minutes: 5 };
  const agents = await Promise.all(
    Array.from({ length: 6 }, () => connect(app(), workspace.admin.token)),
  );
  const said = await Promise.all(agents.map((agent) => agent.call("card_next", next)));
  const claimed = said.flatMap((text) => /^Claimed (\S+) /.exec(text)?.[1] ?? []);
  // A card that another call locks at that moment is passed over.
  for (let text = ""; !text.startsWith("No card is ready."); text = await call("card_next", next)) {
    claimed.push(...(/^Claimed (\S+) /.exec(text)?.slice(1) ?? []));
  }
  expect(claimed).toHaveLength(5);
  expect(new Set(claimed).size).toBe(5);
  const [card = ""] = claimed;
  expect(await call("card_get", { card })).toMatch(/^claimed by "Admin" until 20/m);
  expect(await fail("card_claim", { card })).toContain("(card_claimed)");
  expect(await call("card_claim", { card, action: "renew", minutes: 60 })).toContain("Renewed");
  await call("card_claim", { card, action: "release" });
  expect(await fail("card_claim", { card, action: "renew" })).toContain("(claim_lost)");
  await call("card_claim", { card });
  await call("card_claim", { card, action: "release" });
  expect(await call("card_next", next)).toContain(`Claimed ${card} `);
  const { body } = await rest.get(`/workspaces/${workspace.publicId}/events?types=card.claimed`);
  expect(body.items).toHaveLength(7);
});

test("many names in one call are refused before any of them is looked for", async () => {
  const { card, call, fail, rest } = await scene();
  const named = { "nobody-else": 101, me: 101 };
  for (const [name, count] of Object.entries(named)) {
    const said = await fail("card_update", { card, addMembers: Array(count).fill(name) });
    expect(said).toContain("addMembers: ");
    expect(said).toContain("(too_big)");
  }
  expect(await fail("card_update", { card, addLabels: Array(101).fill("none") })).toContain(
    "(too_big)",
  );
  await call("card_update", { card, addMembers: Array(100).fill("Me") });
  expect((await rest.get(`/cards/${card}`)).body.members).toHaveLength(1);
});
