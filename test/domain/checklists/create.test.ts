import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  return { user: workspace.admin, card, path: `/cards/${card}/checklists` };
};

describe("checklist.create", () => {
  test("adds a checklist after the last one, its items in the order given", async () => {
    const { user, card, path } = await start();
    await user.rest.post(path, { name: "First" });
    const items = Array.from({ length: 500 }, (_, n) => `Item ${(n * 7) % 500}`);
    const { status, body } = await user.rest.post(path, { name: " Second ", items });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "Second", version: 1 });
    expect(body.items.map((item: { title: string }) => item.title)).toEqual(items);
    expect(body.items[0]).toEqual({
      publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
      title: "Item 0",
      isComplete: false,
      completed: false,
      memberPublicId: null,
      dueDate: null,
      isDueAllDay: false,
      version: 1,
    });
    const { body: read } = await user.rest.get(`/cards/${card}`);
    const { cardPublicId, index, ...checklist } = body;
    expect({ cardPublicId, index }).toEqual({ cardPublicId: card, index: 1 });
    expect(read.checklists).toMatchObject([{ name: "First", items: [] }, checklist]);
  });

  test("announces itself once, with its items and its index", async () => {
    const { user, card } = await start();
    await user.trpc.checklist.create.mutate({ cardPublicId: card, name: "First" });
    await user.trpc.checklist.create.mutate({ cardPublicId: card, name: "All", items: ["a", "b"] });
    const events = await findEvents(app(), {
      where: { cardPublicId: card, type: { not: "card.created" } },
      orderBy: { id: "asc" },
    });
    expect(events).toMatchObject([
      { type: "checklist.created", data: { to: { index: 0 } } },
      {
        type: "checklist.created",
        isActivity: true,
        data: {
          checklist: { name: "All", items: [{ title: "a" }, { title: "b" }] },
          card: { publicId: card },
          to: { index: 1 },
        },
      },
    ]);
  });

  test("called ten times at once adds ten checklists at distinct positions", async () => {
    const { user, card, path } = await start();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => user.rest.post(path, { name: `${n}`, items: ["x"] })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const { body } = await user.rest.get(`/cards/${card}`);
    expect(new Set(body.checklists.map((one: { name: string }) => one.name)).size).toBe(10);
  });

  test("is 409 past 50 on a card, and 400 with more than 500 items or an invalid name", async () => {
    const { user, path } = await start();
    for (let n = 0; n < 50; n++)
      expect((await user.rest.post(path, { name: `${n}` })).status).toBe(200);
    expect(await user.rest.post(path, { name: "50" })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    const wrong = [
      { name: "" },
      { name: "x".repeat(256) },
      {},
      { name: "x", items: Array(501).fill("x") },
      { name: "x", items: [""] },
    ];
    for (const body of wrong) expect((await user.rest.post(path, body)).status).toBe(400);
  });
});
