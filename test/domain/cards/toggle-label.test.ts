import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { labels: 2 });
  const user = workspace.admin;
  const card = await makeCard(user, board.lists[0] ?? "");
  const [label = ""] = board.labels;
  const events = async () =>
    (
      await findEvents(app(), {
        where: { cardPublicId: card },
        orderBy: { id: "asc" },
      })
    ).slice(1);
  return { workspace, user, board, card, label, path: `/cards/${card}/labels/${label}`, events };
};

describe("card.toggleLabel", () => {
  test("adds the label, removes it the second time, and says which", async () => {
    const { user, card, label, path, events } = await start();
    expect(await user.rest.put(path)).toMatchObject({ status: 200, body: { newLabel: true } });
    expect((await user.rest.get(`/cards/${card}`)).body.labels).toMatchObject([
      { publicId: label },
    ]);
    const again = await user.trpc.card.toggleLabel.mutate({
      cardPublicId: card,
      labelPublicId: label,
    });
    expect(again).toEqual({ newLabel: false });
    expect((await user.rest.get(`/cards/${card}`)).body.labels).toEqual([]);
    expect(await events()).toMatchObject([
      { type: "card.label_added", isActivity: true, data: { label: { publicId: label } } },
      { type: "card.label_removed", data: { label: { publicId: label } } },
    ]);
  });

  test.each([7, 8])("done %i times at once ends as one after the other would", async (times) => {
    const { user, card, path, events } = await start();
    const replies = await Promise.all(Array.from({ length: times }, () => user.rest.put(path)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const on = replies.filter(({ body }) => body.newLabel).length;
    expect(on).toBe(Math.ceil(times / 2));
    expect((await user.rest.get(`/cards/${card}`)).body.labels).toHaveLength(times % 2);
    const emitted = (await events()).map(({ type }) => type);
    expect(emitted).toEqual(
      emitted.map((_, n) => (n % 2 ? "card.label_removed" : "card.label_added")),
    );
    expect(emitted).toHaveLength(times);
  });

  test("is 404 for a label of another board, an unknown label, and a deleted card", async () => {
    const { workspace, user, card, label, path, events } = await start();
    const other = await makeBoard(workspace);
    for (const foreign of [other.labels[0], "nowhere00000", card]) {
      expect((await user.rest.put(`/cards/${card}/labels/${foreign}`)).status).toBe(404);
    }
    expect(await events()).toEqual([]);
    await user.rest.delete(`/cards/${card}`);
    expect((await user.rest.put(path)).status).toBe(404);
    expect((await user.rest.put(`/cards/nowhere00000/labels/${label}`)).status).toBe(404);
  });

  test("needs card:edit", async () => {
    const { workspace, path } = await start();
    const guest = await join(app(), workspace, "guest");
    expect((await guest.rest.put(path)).status).toBe(403);
  });
});
