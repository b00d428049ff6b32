import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function cardsOf(user: As, list: string): Promise<string[]> {
  const { body } = await user.rest.get(`/lists/${list}/cards`);
  return body.items.map(({ publicId }: { publicId: string }) => publicId);
}

test("card.restore restores the position of a card, or the end when it is taken", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const [a, b, c] = [
    await makeCard(admin, list),
    await makeCard(admin, list),
    await makeCard(admin, list),
  ];
  await admin.rest.delete(`/cards/${b}`);
  const restored = await admin.rest.post(`/cards/${b}/restore`);
  expect(restored).toMatchObject({ status: 200, body: { publicId: b, index: 1, version: 3 } });
  expect(await admin.trpc.card.restore.mutate({ cardPublicId: b })).toEqual(restored.body);
  expect(await cardsOf(admin, list)).toEqual([a, b, c]);
  expect(await eventsIn(app(), workspace.publicId, "card.restored")).toHaveLength(1);

  await admin.rest.delete(`/cards/${b}`);
  const between = { title: "Between", listPublicId: list, index: 1 };
  const { body: d } = await admin.rest.post("/cards", between);
  expect((await admin.rest.post(`/cards/${b}/restore`)).body.index).toBe(3);
  expect(await cardsOf(admin, list)).toEqual([a, d.publicId, c, b]);
});

test("card.restore is 409 in a deleted parent, 403 for another member's card, 404 for an unknown card", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const card = await makeCard(admin, list);
  const guest = await join(app(), workspace, "guest");
  const restore = async (user: As, id = card) =>
    (await user.rest.post(`/cards/${id}/restore`)).status;
  await admin.rest.delete(`/cards/${card}`);
  expect(await restore(guest)).toBe(403);
  expect(await restore(admin, "nowhere00000")).toBe(404);
  await admin.rest.delete(`/lists/${list}`);
  expect(await restore(admin)).toBe(409);
  await admin.rest.post(`/lists/${list}/restore`);
  await admin.rest.delete(`/boards/${board.publicId}`);
  expect(await restore(admin)).toBe(409);
});

test("the creator of a card can restore it while they are a member", async () => {
  const workspace = await makeWorkspace(app());
  const [list = ""] = (await makeBoard(workspace)).lists;
  const member = await join(app(), workspace, "member");
  const card = await makeCard(member, list);
  await member.rest.delete(`/cards/${card}`);
  await workspace.admin.rest.post(
    `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions/revoke`,
    { permission: "card:delete" },
  );
  expect((await member.rest.post(`/cards/${card}/restore`)).status).toBe(200);
  await member.rest.delete(`/cards/${card}`);
  await workspace.admin.rest.delete(
    `/workspaces/${workspace.publicId}/members/${member.memberPublicId}`,
  );
  expect((await member.rest.post(`/cards/${card}/restore`)).status).toBe(403);
});
