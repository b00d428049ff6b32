import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard } from "../../support/make.ts";
import { setRole } from "./membership.ts";
import { keyOf, scene } from "./key-scene.ts";

const app = useApp();

describe("rule 9: an API key", () => {
  test("has the current permissions of its owner, not those of its creation", async () => {
    const { member, addCard } = await scene(app());
    const key = await keyOf(app(), member);
    expect(await addCard(key)).toBe(200);
    await setRole(app(), member.memberPublicId, "guest");
    expect(await addCard(key)).toBe(403);
  });

  test("does not exceed its owner's permissions, whatever it names", async () => {
    const { workspace, board, list } = await scene(app());
    const guest = await join(app(), workspace, "guest");
    const key = await keyOf(app(), guest, {
      permissions: ["card:view", "card:create", "list:create", "workspace:manage"],
    });
    expect((await key.rest.post("/cards", { title: "No", listPublicId: list })).status).toBe(403);
    expect(
      (await key.rest.post("/lists", { name: "No", boardPublicId: board.publicId })).status,
    ).toBe(403);
    expect((await key.rest.get(`/workspaces/${workspace.publicId}/webhooks`)).status).toBe(403);
  });

  test("that is read-only is refused by operation: a GET that writes is a write", async () => {
    const { workspace } = await scene(app());
    const key = await keyOf(app(), workspace.admin, { readOnly: true });
    expect((await key.rest.get("/integration/authorize")).status).toBe(403);
    expect((await key.rest.get(`/workspaces/${workspace.publicId}`)).status).toBe(200);
    const batched = await app().call({
      method: "POST",
      path: "/trpc/workspace.get,workspace.update?batch=1",
      ...(key.token === undefined ? {} : { token: key.token }),
      body: {
        0: { workspacePublicId: workspace.publicId },
        1: { workspacePublicId: workspace.publicId, name: "No" },
      },
    });
    expect(batched.status).not.toBe(200);
    expect((await key.rest.get(`/workspaces/${workspace.publicId}`)).body.name).not.toBe("No");
  });

  test("of a board cannot move cards from it or to it", async () => {
    const { workspace, board, list } = await scene(app());
    const other = await makeBoard(workspace);
    const [there = ""] = other.lists;
    const key = await keyOf(app(), workspace.admin, { boardPublicId: board.publicId });
    const [here, away] = [
      await makeCard(workspace.admin, list),
      await makeCard(workspace.admin, there),
    ];
    expect((await key.rest.put(`/cards/${here}`, { listPublicId: there })).status).toBe(404);
    expect((await key.rest.put(`/cards/${away}`, { listPublicId: list })).status).toBe(403);
    expect((await key.rest.put(`/cards/${here}`, { listPublicId: board.lists[1] })).status).toBe(
      200,
    );
  });

  test("creates no other key and ends no session", async () => {
    const { workspace } = await scene(app());
    const key = await keyOf(app(), workspace.admin);
    const { body: sessions } = await workspace.admin.rest.get("/auth/sessions");
    expect(
      (await key.rest.post("/auth/api-keys", { password: "a password for tests", name: "more" }))
        .status,
    ).toBe(403);
    expect((await key.rest.delete(`/auth/sessions/${sessions[0].publicId}`)).status).toBe(403);
    expect((await key.rest.post("/auth/logout")).status).toBe(403);
  });
});

test("a key without workspace:manage shows nothing of a restricted board that its owner sees by that alone", async () => {
  const { workspace, board, list } = await scene(app());
  const { admin, publicId } = workspace;
  const me = (await admin.rest.get(`/workspaces/${publicId}`)).body.memberPublicId;
  const { body: card } = await admin.rest.post("/cards", {
    title: "Secret",
    listPublicId: list,
    memberPublicIds: [me],
  });
  await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  await admin.rest.delete(`/boards/${board.publicId}/members/${me}`);
  const views = ["workspace:view", "board:view", "list:view", "card:view"];
  const narrow = await keyOf(app(), admin, { permissions: views });
  const wide = await keyOf(app(), admin, { permissions: [...views, "workspace:manage"] });
  const seenBy = async (who: As) => ({
    card: (await who.rest.get(`/cards/${card.publicId}`)).status,
    byNumber: (await who.rest.get(`/workspaces/${publicId}/cards/1`)).status,
    mine: (await who.rest.get("/users/me/cards")).body.items.length,
  });
  expect(await seenBy(wide)).toEqual({ card: 200, byNumber: 200, mine: 1 });
  expect(await seenBy(narrow)).toEqual({ card: 403, byNumber: 404, mine: 0 });
});
