import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { setRole } from "../../kernel/access/membership.ts";

const app = useApp();

/** A card of an open board with an assigned member, and a restricted board without that member. */
async function scene(assignedTo: "card" | "checklist item") {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const [open, restricted] = [await makeBoard(workspace), await makeBoard(workspace)];
  await rest.put(`/boards/${restricted.publicId}`, { visibility: "restricted" });
  const { memberPublicId } = await join(app(), workspace, "member");
  const [list = ""] = open.lists;
  const card = await makeCard(workspace.admin, list);
  const { body } = await rest.post(`/cards/${card}/checklists`, { name: "List", items: ["Item"] });
  const item: string = body.items[0].publicId;
  if (assignedTo === "card") await rest.put(`/cards/${card}/members/${memberPublicId}`);
  else await rest.put(`/checklists/items/${item}`, { memberPublicId });
  const [target = ""] = restricted.lists;
  return { workspace, rest, restricted, list, target, card, item, memberPublicId };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const paths: Record<string, (scene: Scene) => Promise<{ status: number }>> = {
  "card.update": ({ rest, card, target }) => rest.put(`/cards/${card}`, { listPublicId: target }),
  "list.moveCards": ({ rest, list, target }) =>
    rest.post(`/lists/${list}/move-cards`, { targetListPublicId: target }),
  "card.duplicate": ({ rest, card, target }) =>
    rest.post(`/cards/${card}/duplicate`, { listPublicId: target, withMembers: true }),
};

describe("a card does not move to a board that its assignee cannot see", () => {
  test.each(Object.keys(paths))("by %s", async (path) => {
    for (const assignedTo of ["card", "checklist item"] as const) {
      const made = await scene(assignedTo);
      const { rest, restricted, memberPublicId } = made;
      expect((await paths[path]?.(made))?.status).toBe(409);
      const { body } = await rest.get(`/boards/${restricted.publicId}/cards`);
      expect(body.items).toEqual([]);
      await rest.put(`/boards/${restricted.publicId}/members/${memberPublicId}`);
      expect((await paths[path]?.(made))?.status).toBe(200);
    }
  });
});

test("checklist.updateItem refuses a member who cannot see the restricted board", async () => {
  const { rest, restricted, target, workspace, memberPublicId } = await scene("card");
  const card = await makeCard(workspace.admin, target);
  const { body } = await rest.post(`/cards/${card}/checklists`, { name: "List", items: ["Item"] });
  const path = `/checklists/items/${body.items[0].publicId}`;
  expect((await rest.put(path, { memberPublicId })).status).toBe(409);
  await rest.put(`/boards/${restricted.publicId}/members/${memberPublicId}`);
  expect((await rest.put(path, { memberPublicId })).status).toBe(200);
  await rest.delete(`/boards/${restricted.publicId}/members/${memberPublicId}`);
  expect((await rest.put(path, { memberPublicId, title: "Renamed" })).status).toBe(200);
});

test("board.move unassigns members who cannot see the board there", async () => {
  const { rest, restricted, target, workspace } = await scene("card");
  const there = await makeWorkspace(app(), workspace.admin);
  const other = await join(app(), workspace, "admin");
  const card = await makeCard(workspace.admin, target);
  await rest.put(`/cards/${card}/members/${other.memberPublicId}`);
  const { body: invite } = await rest.post(`/workspaces/${there.publicId}/invites`);
  await other.rest.post("/invites/accept", { inviteCode: invite.inviteCode });
  await rest.post(`/boards/${restricted.publicId}/move`, { workspacePublicId: there.publicId });
  expect((await rest.get(`/cards/${card}`)).body.members).toEqual([]);
});

test("a creator without card:edit moves their card on its board only", async () => {
  const workspace = await makeWorkspace(app());
  const [here, there] = [await makeBoard(workspace), await makeBoard(workspace)];
  const author = await join(app(), workspace, "member");
  const card = await makeCard(author, here.lists[0] ?? "");
  await setRole(app(), author.memberPublicId, "guest");
  const move = (listPublicId = "") => author.rest.put(`/cards/${card}`, { listPublicId });
  expect((await move(there.lists[0])).status).toBe(403);
  expect((await move(here.lists[1])).status).toBe(200);
});
