import { describe, expect, test } from "vitest";
import { keyOf } from "../../kernel/access/key-scene.ts";
import { setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

type Item = { type: string; actor: object; data: any; changes: unknown };

describe("board.activity", () => {
  test("shows what happened on the board, newest first, with who did it", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const [board, other] = [await makeBoard(workspace), await makeBoard(workspace)];
    const card = await makeCard(admin, board.lists[0] ?? "", "Card");
    await makeCard(admin, other.lists[0] ?? "", "elsewhere");
    const made = await admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "Robot",
    });
    await as(app(), made.body.key).rest.put(`/cards/${card}`, { title: "Renamed" });
    const { status, body } = await admin.rest.get(`/boards/${board.publicId}/activities`);
    expect(status).toBe(200);
    expect(body.items.map(({ type }: Item) => type)).toEqual([
      "card.updated",
      "card.created",
      "board.created",
    ]);
    expect(body.items[0]).toEqual({
      publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
      type: "card.updated",
      actor: { type: "apiKey", publicId: made.body.publicId, name: "Robot" },
      data: expect.objectContaining({
        card: expect.objectContaining({ publicId: card, title: "Renamed" }),
      }),
      changes: { title: { from: "Card", to: "Renamed" } },
      createdAt: app().deps.clock().toISOString(),
    });
    expect(body.items[1]).toMatchObject({
      actor: { type: "user", publicId: admin.publicId, name: "Admin" },
      changes: null,
    });
    expect(JSON.stringify(body)).not.toMatch(/elsewhere|@|"ip"|requestId/);
  });

  test("pages neither miss nor repeat activities while others are added", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    for (let n = 0; n < 5; n++) await makeCard(workspace.admin, board.lists[0] ?? "", `${n}`);
    const read = (query: string) =>
      workspace.admin.rest.get(`/boards/${board.publicId}/activities?${query}`);
    const titles: string[] = [];
    let cursor: string | null = "";
    for (let n = 0; n < 10 && cursor !== null; n++) {
      const { body } = await read(`limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      titles.push(...body.items.map(({ data }: Item) => data.card?.title ?? "board"));
      cursor = body.nextCursor;
      await makeCard(workspace.admin, board.lists[0] ?? "", "later");
    }
    expect(titles).toEqual(["4", "3", "2", "1", "0", "board"]);
    const other = await makeBoard(workspace);
    const { nextCursor } = (await read("limit=1")).body;
    const foreign = await workspace.admin.rest.get(
      `/boards/${other.publicId}/activities?cursor=${encodeURIComponent(nextCursor)}`,
    );
    expect(foreign.status).toBe(400);
  });

  test("hides activities about comments from members without comment:view", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const { admin } = workspace;
    const card = await makeCard(admin, board.lists[0] ?? "");
    await admin.rest.post(`/cards/${card}/comments`, { comment: "hush" });
    const guest = await join(app(), workspace, "guest");
    const read = async () =>
      JSON.stringify((await guest.rest.get(`/boards/${board.publicId}/activities`)).body);
    expect(await read()).toContain("hush");
    await setOverride(app(), guest.memberPublicId, "comment:view", false);
    expect(await read()).not.toContain("hush");
    expect(await read()).toContain("board.created");
  });

  test("hides activities about cards and lists from members without card:view and list:view", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const path = `/boards/${board.publicId}/activities`;
    const { body: list } = await workspace.admin.rest.post("/lists", {
      name: "A list",
      boardPublicId: board.publicId,
    });
    await makeCard(workspace.admin, list.publicId, "A card");
    const guest = await join(app(), workspace, "guest");
    const types = async (who: As) =>
      (await who.rest.get(path)).body.items.map(({ type }: { type: string }) => type);
    const all = ["card.created", "list.created", "board.created"];
    expect(await types(guest)).toEqual(all);
    await setOverride(app(), guest.memberPublicId, "card:view", false);
    expect(await types(guest)).toEqual(all.slice(1));
    const key = await keyOf(app(), workspace.admin, { permissions: ["board:view"] });
    expect(await types(key)).toEqual(all.slice(2));
  });
});
