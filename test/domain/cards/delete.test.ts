import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const user = workspace.admin;
  const cards = [
    await makeCard(user, list),
    await makeCard(user, list),
    await makeCard(user, list),
  ];
  return { workspace, user, board, list, cards };
};

describe("card.delete", () => {
  test("removes the card, and the later ones move up", async () => {
    const { user, board, cards } = await start();
    expect(await user.rest.delete(`/cards/${cards[1]}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const { lists } = await user.trpc.board.get.query({ boardPublicId: board.publicId });
    expect(lists[0]?.cards).toMatchObject([
      { publicId: cards[0], index: 0 },
      { publicId: cards[2], index: 1 },
    ]);
  });

  test("makes the card and its relations answer 404 to every operation", async () => {
    const { user, board, list, cards } = await start();
    const path = `/cards/${cards[0]}`;
    const { body: checklist } = await user.rest.post(`${path}/checklists`, {
      name: "x",
      items: ["y"],
    });
    await user.trpc.card.delete.mutate({ cardPublicId: cards[0] ?? "" });
    const replies = [
      await user.rest.get(path),
      await user.rest.put(path, { title: "x" }),
      await user.rest.put(path, { listPublicId: list, index: 0 }),
      await user.rest.delete(path),
      await user.rest.put(`${path}/labels/${board.labels[0]}`),
      await user.rest.post(`${path}/checklists`, { name: "x" }),
      await user.rest.post(`/checklists/${checklist.publicId}/items`, { title: "x" }),
      await user.rest.delete(`/checklists/items/${checklist.items[0].publicId}`),
    ];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
      replies.map(() => [404, "NOT_FOUND"]),
    );
  });

  test("announces itself once, and its number is not assigned again", async () => {
    const { user, list, cards } = await start();
    await user.rest.delete(`/cards/${cards[2]}`);
    await user.rest.delete(`/cards/${cards[2]}`);
    const events = await findEvents(app(), {
      where: { cardPublicId: cards[2] ?? "", type: "card.deleted" },
    });
    expect(events).toMatchObject([
      { data: { card: { publicId: cards[2], version: 2 }, list: { publicId: list } } },
    ]);
    const { body } = await user.rest.post("/cards", { title: "next", listPublicId: list });
    expect(body).toMatchObject({ cardNumber: expect.stringMatching(/-4$/), index: 2 });
  });

  test("needs card:delete, unless the card is one's own", async () => {
    const { workspace, list, cards } = await start();
    const guest = await join(app(), workspace, "guest");
    expect((await guest.rest.delete(`/cards/${cards[0]}`)).status).toBe(403);
    const member = await join(app(), workspace, "member");
    const own = await makeCard(member, list);
    await workspace.admin.rest.post(
      `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions/revoke`,
      { permission: "card:delete" },
    );
    expect((await member.rest.delete(`/cards/${cards[0]}`)).status).toBe(403);
    expect((await member.rest.delete(`/cards/${own}`)).status).toBe(200);
  });
});
