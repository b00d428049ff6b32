import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { follow } from "../support/feed.ts";
import { makeCard, type User } from "../support/make.ts";
import { Client } from "./sync/client.ts";
import { differences } from "./sync/differences.ts";
import { followed, shown } from "./sync/lines.ts";
import { makeScene } from "./sync/run.ts";
import { readPatchTables } from "./sync/table.ts";

const app = useApp();

/** A workspace, and a client of one of its users with a copy of it. */
async function start(name: "admin" | "blind" = "admin") {
  const scene = await makeScene(app());
  const options = {
    app: app(),
    who: scene.users[name],
    workspace: scene.workspace.publicId,
    hasParts: name === "blind",
  };
  const client = new Client(options, await readPatchTables());
  await client.poll();
  return { ...scene, client };
}

/** Applies what has happened since; the copy is then what the service shows. */
async function expectEqual(client: Client): Promise<void> {
  await client.poll();
  const fresh = await client.readAll();
  expect(differences(shown(followed(client.copy)), shown(fresh))).toEqual([]);
}

/** An event after which the copy reads a board, as it is when the event is applied. */
async function letRead({ rest }: User, board: string | undefined): Promise<void> {
  await rest.put(`/boards/${board}`, { isArchived: true });
  await rest.put(`/boards/${board}`, { isArchived: false });
}

test("a newer line of a removed member drops the member from the cards of all boards", async () => {
  const { workspace, users, known, client } = await start();
  const { admin, member } = users;
  const [card = ""] = known.cards;
  await admin.rest.post(`/cards/${card}/members`, { memberPublicId: known.members[0] });
  await client.poll();
  // The copy reads the second board when the member is back, before it applies `member.removed`.
  await letRead(admin, known.boards[1]);
  const root = `/workspaces/${workspace.publicId}`;
  await admin.rest.delete(`${root}/members/${known.members[0]}`);
  const { body } = await admin.rest.post(`${root}/invites`, { role: "member" });
  await member.rest.post("/invites/accept", { inviteCode: body.inviteCode });
  await expectEqual(client);
});

test("a board that is read after a card moved to it changes no other board", async () => {
  const { users, known, client } = await start();
  const { admin } = users;
  const [here = "", , there = ""] = known.lists;
  for (const title of ["A", "B", "C"]) await makeCard(admin, here, title);
  const mover = await makeCard(admin, here, "mover");
  await client.poll();
  // The copy reads the second board with the first card, while the first board still has it.
  await letRead(admin, known.boards[1]);
  await admin.rest.put(`/cards/${mover}`, { index: 2 });
  const reply = await admin.rest.put(`/cards/${known.cards[0]}`, { listPublicId: there });
  expect(reply.status).toBe(200);
  await expectEqual(client);
});

test("a copy without member:view follows the names of assignees and authors, and removals", async () => {
  const { workspace, users, known, client } = await start("blind");
  const [card = ""] = known.cards;
  const [memberPublicId = ""] = known.members;
  await users.admin.rest.post(`/cards/${card}/members`, { memberPublicId });
  await users.member.rest.post(`/cards/${known.cards[2]}/comments`, { comment: "text" });
  await expectEqual(client);
  await users.member.rest.put("/users/me", { name: "New name" });
  await expectEqual(client);
  const root = `/workspaces/${workspace.publicId}`;
  await users.admin.rest.delete(`${root}/members/${memberPublicId}`);
  await expectEqual(client);
  const { body } = await users.admin.rest.post(`${root}/invites`, { role: "member" });
  await users.member.rest.post("/invites/accept", { inviteCode: body.inviteCode });
  await expectEqual(client);
});

test("without member:view an event of a member has no name and no actor", async () => {
  const { workspace, users, known } = await start("blind");
  const { cursor } = await follow(users.blind, workspace.publicId);
  await users.member.rest.put("/users/me", { name: "New name" });
  const { rest } = users.admin;
  const root = `/workspaces/${workspace.publicId}/members/${known.members[0]}`;
  await rest.put(`${root}/role`, { role: "guest" });
  await rest.delete(root);
  const invite = await rest.post(`/workspaces/${workspace.publicId}/invites`, { role: "member" });
  await users.member.rest.post("/invites/accept", { inviteCode: invite.body.inviteCode });
  const { items } = await follow(users.blind, workspace.publicId, { cursor });
  const ofMembers = items.filter(({ type }) => type.startsWith("member."));
  expect(ofMembers.map(({ type }) => type)).toEqual([
    "member.updated",
    "member.removed",
    "member.joined",
  ]);
  for (const event of ofMembers) {
    expect(event.data).toEqual({ memberPublicId: known.members[0] });
    expect(event.actor).toMatchObject({ type: "system", publicId: null });
    expect(event).not.toHaveProperty("changes");
  }
});
