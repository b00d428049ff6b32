import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";
import { runDue } from "../../support/jobs.ts";
import { boardOf, importFile, read, send } from "./importing.ts";
import {
  attachment,
  board,
  card,
  checklist,
  comment,
  idOf,
  item,
  kinds,
  list,
} from "./trello-objects.ts";

const app = useApp();
const one = idOf(kinds.card, 1);
const first = { lists: [list(1)], cards: [card(1)] };
const second = {
  lists: [list(1)],
  cards: [card(1, { attachments: [attachment(1)] }), card(2)],
  checklists: [checklist(1, one, [item(1)])],
  actions: [comment(1, one)],
};

/** Imports as a member with revoked permissions. */
async function importWithout(home: Workspace, permissions: string[], body: object) {
  const member = await join(app(), home, "member");
  const path = `/workspaces/${home.publicId}/members/${member.memberPublicId}/permissions/revoke`;
  for (const permission of permissions)
    expect((await home.admin.rest.post(path, { permission })).status).toBe(200);
  const sent = await send(app(), home, body, member.token);
  await runDue(app().deps);
  return read(home, sent.body.publicId);
}

test.each([
  ["card:edit", { checklist: 1, checklistItem: 1, attachment: 1 }],
  ["card:create", { card: 1 }],
  ["comment:create", { comment: 1 }],
])("an import without %s does not write what needs it, and reports that", async (name, skipped) => {
  const home = await makeWorkspace(app());
  const { boards } = await importFile(app(), home, board(first));
  const done = await importWithout(home, [name], board(second));
  expect(done.status).toBe("completed");
  for (const [kind, leftOut] of Object.entries(skipped))
    expect([kind, done.counts[kind]]).toEqual([kind, expect.objectContaining({ leftOut })]);
  const reasons = done.issues.map(({ reason }: any) => reason);
  expect(reasons).toContain(`The starter of the import does not hold ${name}.`);
  const { lists } = await boardOf(home, boards[0].publicId);
  expect(lists[0].cards).toHaveLength(name === "card:create" ? 1 : 2);
});

test("an import does not write to a card that its starter may not see", async () => {
  const home = await makeWorkspace(app());
  const { boards } = await importFile(app(), home, board(first));
  const { lists } = await boardOf(home, boards[0].publicId);
  const path = `/workspaces/${home.publicId}/boards`;
  const { body: hidden } = await home.admin.rest.post(path, {
    name: "Hidden",
    lists: ["List"],
    visibility: "restricted",
  });
  const cardPath = `/cards/${lists[0].cards[0].publicId}`;
  const moved = await home.admin.rest.put(cardPath, { listPublicId: hidden.lists[0].publicId });
  expect(moved.status).toBe(200);
  const done = await importWithout(home, [], board(second));
  expect(done.counts).toMatchObject({ card: { created: 1, leftOut: 1 }, comment: { leftOut: 1 } });
  const { body: comments } = await home.admin.rest.get(`${cardPath}/comments`);
  expect(comments.items).toEqual([]);
  expect(JSON.stringify(done)).not.toContain("Hidden");
});

test("a file with a text that is too long fails before the text is in memory", async () => {
  const home = await makeWorkspace(app());
  const done = await importFile(
    app(),
    home,
    board({ lists: [list(1)], cards: [card(1, { desc: 'x\\"'.repeat(2_000_000) })] }),
  );
  expect([done.status, done.error]).toEqual(["failed", expect.stringContaining("too long")]);
});
