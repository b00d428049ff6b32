import { describe, expect, test } from "vitest";
import { eventsIn, setOverride } from "../../kernel/access/membership.ts";
import { strayReferences } from "../../kernel/access/snapshot.ts";
import { publicV4 } from "../../outbound/webhooks/hostile.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import {
  join,
  makeBoard,
  makeCard,
  makeUser,
  makeWorkspace,
  type Workspace,
} from "../../support/make.ts";
import { alsoIn, move, twoWorkspaces } from "./moving.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { watch } from "../../outbound/notifications/team.ts";

const app = useApp();

describe("a board that is moved", () => {
  test("leaves members of both workspaces on the board and its cards, and removes all others", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const [both, left] = [await join(app(), here, "member"), await join(app(), here, "member")];
    const bothThere = await alsoIn(there, both);
    const board = await makeBoard(here);
    for (const { memberPublicId } of [both, left])
      await admin.rest.put(`/boards/${board.publicId}/members/${memberPublicId}`);
    await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    for (const user of [both, left])
      await user.rest.put(`/boards/${board.publicId}/favourite`, { favourite: true });
    const { body: card } = await admin.rest.post("/cards", {
      title: "Ours",
      listPublicId: board.lists[0],
      memberPublicIds: [both.memberPublicId, left.memberPublicId],
      checklists: [{ name: "Steps", items: ["his", "hers"] }],
    });
    for (const [nth, user] of [both, left].entries()) {
      const { publicId: item } = card.checklists[0].items[nth];
      const { memberPublicId } = user;
      expect(await admin.rest.put(`/checklists/items/${item}`, { memberPublicId })).toMatchObject({
        status: 200,
      });
      expect((await watch(user, card.publicId)).status).toBe(200);
    }
    expect((await move(admin, board.publicId, there)).status).toBe(200);
    const { body } = await both.rest.get(`/cards/${card.publicId}`);
    expect(body.members.map(({ publicId }: { publicId: string }) => publicId)).toEqual([bothThere]);
    expect(
      body.checklists[0].items.map((item: { memberPublicId: string }) => item.memberPublicId),
    ).toEqual([bothThere, null]);
    expect((await left.rest.get(`/boards/${board.publicId}`)).status).toBe(403);
    const users = async (table: string) =>
      (
        await app().db.read<{ publicId: string }>(
          sql`SELECT u."publicId" FROM ${sql.identifier(table)} t JOIN users u ON u.id = t."userId"`,
        )
      ).map(({ publicId }) => publicId);
    for (const table of ["card_watchers", "board_favourites"]) {
      expect(await users(table), table).toContain(both.publicId);
      expect(await users(table), table).not.toContain(left.publicId);
    }
    const visible = (await both.rest.get(`/boards/${board.publicId}/members`)).body.items;
    expect(visible.map(({ publicId }: { publicId: string }) => publicId)).toContain(bothThere);
    expect(visible).toHaveLength(2);
    expect(await strayReferences(app())).toEqual([]);
  });

  test("deletes the webhooks that are bound to it, so that they get no events of another workspace", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const board = await makeBoard(here);
    const hookOf = async (fields: object) => {
      const hook = { name: "Hook", url: `https://${publicV4}/`, events: ["*"], ...fields };
      const made = await admin.rest.post(`/workspaces/${here.publicId}/webhooks`, hook);
      expect(made.status).toBe(200);
      return made.body.publicId;
    };
    const bound = await hookOf({ boardPublicId: board.publicId });
    const unbound = await hookOf({});
    await move(admin, board.publicId, there);
    const ids = async ({ publicId }: Workspace) =>
      (await admin.rest.get(`/workspaces/${publicId}/webhooks`)).body.map(
        (one: { publicId: string }) => one.publicId,
      );
    expect(await ids(here)).toEqual([unbound]);
    expect(await ids(there)).toEqual([]);
    const emitted = async ({ publicId }: Workspace) =>
      (await eventsIn(app(), publicId)).flatMap(({ type, data }) =>
        type === "webhook.deleted" ? [data.webhook] : [],
      );
    expect(await emitted(here)).toMatchObject([
      { publicId: bound, boardPublicId: board.publicId, active: false },
    ]);
    expect(await emitted(there)).toEqual([]);
    expect(await strayReferences(app())).toEqual([]);
  });

  test("requires board:delete in the source and board:create in the target, also from the creator", async () => {
    const here = await makeWorkspace(app());
    const user = await makeUser(app());
    const mine = await alsoIn(here, user);
    const there = await makeWorkspace(app());
    const board = (await user.rest.post(`/workspaces/${here.publicId}/boards`, { name: "Mine" }))
      .body.publicId;
    const where = async () =>
      (await here.admin.rest.get(`/boards/${board}`)).body.workspacePublicId;
    expect((await move(user, board, there)).status).toBe(403);
    await setOverride(app(), mine, "board:delete", true);
    expect((await move(user, board, there)).status).toBe(403);
    const guest = await alsoIn(there, user, "guest");
    expect((await move(user, board, there)).status).toBe(403);
    expect(
      (await user.rest.post(`/boards/${board}/move`, { workspacePublicId: "thereisnosuch" }))
        .status,
    ).toBe(404);
    expect(await where()).toBe(here.publicId);
    await setOverride(app(), guest, "board:create", true);
    for (const bounds of [
      { boardPublicId: board },
      { workspacePublicId: here.publicId },
      { readOnly: true },
    ]) {
      const key = (
        await user.rest.post("/auth/api-keys", {
          password: "a password for tests",
          name: "key",
          ...bounds,
        })
      ).body.key;
      const { status } = await as(app(), key).rest.post(`/boards/${board}/move`, {
        workspacePublicId: there.publicId,
      });
      expect(status).toBe(403);
    }
    expect(await where()).toBe(here.publicId);
    expect((await move(user, board, there)).status).toBe(200);
    expect((await user.rest.get(`/boards/${board}`)).body.workspacePublicId).toBe(there.publicId);
  });
});

test("a key that is bound to a board cannot move a card to another board", async () => {
  const { here, admin } = await twoWorkspaces(app());
  const [board, other] = [await makeBoard(here), await makeBoard(here)];
  const card = await makeCard(admin, board.lists[0] ?? "");
  const { body } = await admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "bound",
    boardPublicId: board.publicId,
  });
  const bound = as(app(), body.key);
  expect((await bound.rest.put(`/cards/${card}`, { listPublicId: other.lists[0] })).status).toBe(
    404,
  );
  expect((await bound.rest.put(`/cards/${card}`, { listPublicId: board.lists[1] })).status).toBe(
    200,
  );
});
