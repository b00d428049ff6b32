import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { viewingImported } from "../../../src/contract/vocabulary/permissions.ts";
import { as } from "../../support/as.ts";
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
  expect(reasons).toContain(`The member who started the import lacks the permission ${name}.`);
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

const scoped = {
  "card:edit": { checklist: 1, checklistItem: 1, attachment: 1 },
  "card:create": { card: 1 },
  "comment:create": { comment: 1 },
} as const;

test.each(Object.entries(scoped))(
  "an import that a key without %s started does not write what needs it",
  async (name, skipped) => {
    const home = await makeWorkspace(app());
    await importFile(app(), home, board(first));
    const allowed = ["board:create", ...Object.keys(scoped).filter((held) => held !== name)];
    const { body: key } = await home.admin.rest.post("/auth/api-keys", {
      name: "Key",
      permissions: allowed,
    });
    const sent = await send(app(), home, board(second), key.key);
    await runDue(app().deps);
    const done = await read(home, sent.body.publicId);
    expect(done.status).toBe("completed");
    for (const [kind, leftOut] of Object.entries(skipped))
      expect([kind, done.counts[kind]]).toEqual([kind, expect.objectContaining({ leftOut })]);
  },
);

test("an import that a key started fails once the key is revoked", async () => {
  const home = await makeWorkspace(app());
  const { body: key } = await home.admin.rest.post("/auth/api-keys", {
    name: "Key",
    workspacePublicId: home.publicId,
  });
  const sent = await send(app(), home, board(first), key.key);
  expect(sent.status).toBe(200);
  expect((await home.admin.rest.delete(`/auth/api-keys/${key.publicId}`)).status).toBe(200);
  await runDue(app().deps);
  const done = await read(home, sent.body.publicId);
  expect(done).toMatchObject({
    status: "failed",
    error: "The API key that started the import was revoked.",
  });
  expect(done.boards).toEqual([]);
});

test("a key of the starter sees the names of a report only with what they require", async () => {
  const home = await makeWorkspace(app());
  const { publicId } = await importFile(
    app(),
    home,
    board({ lists: [list(1)], cards: [card(1, { idMembers: ["5f0000000000000000000001"] })] }),
  );
  const namesWith = async (permissions: string[]) => {
    const { body: key } = await home.admin.rest.post("/auth/api-keys", {
      name: "Key",
      permissions,
    });
    const { rest } = as(app(), key.key);
    const whole = await rest.get(`/imports/${publicId}`);
    const grouped = await rest.get(`/imports/${publicId}/report`);
    expect([whole.status, grouped.status]).toEqual([200, 200]);
    const { items } = whole.body.report;
    const examples = grouped.body.groups.flatMap((group: any) => group.examples);
    expect(Math.min(items.length, examples.length)).toBeGreaterThan(0);
    return [...items, ...examples].flatMap(({ name, detail }: any) =>
      [name, detail].filter(Boolean),
    );
  };
  expect((await namesWith([...viewingImported])).length).toBeGreaterThan(0);
  for (const lacking of viewingImported) {
    const held = viewingImported.filter((view) => view !== lacking);
    expect([lacking, await namesWith(held)]).toEqual([lacking, []]);
  }
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
