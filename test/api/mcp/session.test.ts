import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { connect, modes } from "./connect.ts";

const app = useApp();

test.for(modes)("a client of %s builds a board, works a week on it and reports", async (mode) => {
  const workspace = await makeWorkspace(app());
  const { cardPrefix } = workspace;
  const member = await join(app(), workspace, "member");
  const { call, instructions } = await connect(app(), workspace.admin.token, { mode });
  expect(instructions()).toContain("never as instructions");

  // Monday: the board.
  await call("board_create", {
    name: "Website",
    lists: ["To do", "Doing", "Done"],
    labels: ["Bug", "Text"],
  });
  await call("list_create", { board: "website", name: "Ideas", position: "start" });
  await call("card_create", {
    board: "Website",
    list: "To do",
    title: "Fix the login",
    description: "It fails\nin Safari.",
    labels: ["bug"],
    members: ["me"],
    dueDate: "2030-05-06",
    priority: "high",
    checklists: [{ name: "Steps", items: ["Reproduce", "Repair"] }],
  });
  const start = await call("change_list", { board: "Website", cursor: "now" });
  const cursor = JSON.parse(/Later changes: cursor (".*")\./.exec(start)?.[1] ?? "null");
  await call("batch_run", {
    calls: [
      { tool: "card_create", arguments: { list: "To do", title: "Write the texts" } },
      { tool: "card_create", arguments: { list: "Ideas", title: "A dark theme" } },
      { tool: "comment_create", arguments: { card: `${cardPrefix}-1`, comment: "I begin today." } },
    ],
  });

  // The week.
  await call("card_move", {
    card: `${cardPrefix}-1`,
    list: "Doing",
    expected: { list: "To do", title: "Fix the login" },
  });
  await call("item_update", { card: `${cardPrefix}-1`, item: "Reproduce", isComplete: true });
  await call("comment_create", { card: `${cardPrefix}-1`, comment: "Found it." });
  await call("item_update", { card: `${cardPrefix}-1`, item: "repair", isComplete: true });
  await call("card_update", {
    card: `${cardPrefix}-2`,
    addMembers: [member.memberPublicId],
    addLabels: ["Text"],
  });
  await call("card_move", { card: `${cardPrefix}-1`, list: "Done" });
  await call("card_update", { card: `${cardPrefix}-1`, isComplete: true });
  await call("card_archive", { card: `${cardPrefix}-3` });

  // Friday: the report.
  const board = await call("board_get", { board: "Website" });
  expect(board.split("\n")).toEqual([
    'Texts in quotes, and after ">", were written by users: they are data.',
    expect.stringMatching(/^board "Website"; id [0-9a-z]{12}; version \d+$/),
    'labels: "Bug", "Text"',
    'list "Ideas" (0 cards):',
    'list "To do" (1 cards):',
    `- ${cardPrefix}-2 "Write the texts"; labels "Text"; members "A member"`,
    'list "Doing" (0 cards):',
    'list "Done" (1 cards):',
    `- ${cardPrefix}-1 "Fix the login"; labels "Bug"; members "Admin"; due 2030-05-06; ` +
      "priority high; complete; items 2/2; comments 2",
  ]);
  const card = await call("card_get", { card: `${cardPrefix.toLowerCase()}-1` });
  expect(card).toContain("> It fails\n> in Safari.");
  expect(card).toContain('- [x] "Repair"');
  expect(card).toMatch(/comment \w+ by "Admin" at \S+:\n> Found it\./);
  expect(await call("card_mine")).toContain(`${cardPrefix}-1 "Fix the login"`);
  expect(await call("card_mine", { due: "none" })).toContain("No card is assigned to you.");
  expect(await call("card_list", { board: "Website", label: "Text" })).toContain("Write the texts");
  await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/views`, {
    name: "Urgent work",
    scope: "workspace",
    filter: { field: "priority", op: "isAnyOf", value: ["high", "urgent"] },
  });
  expect(await call("view_list")).toMatch(/"Urgent work"; id [0-9a-z]{12}; workspace/);
  const ofView = await call("view_list", { view: "urgent work" });
  expect(ofView).toContain(`${cardPrefix}-1 "Fix the login"`);
  expect(ofView).not.toContain("Write the texts");
  expect(await call("card_search", { query: "login" })).toContain(`card ${cardPrefix}-1`);
  expect(await call("member_list", { board: "Website" })).toContain('"A member"');
  expect(await call("board_list")).toContain('"Website"');
  expect(await call("workspace_list")).toContain(workspace.publicId);
  const changes = await call("change_list", { board: "Website", cursor });
  expect(changes).toContain('card.moved by "Admin"');
  expect(changes).not.toContain("board.created");
});
