import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { makeWorld, unknownId, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const titles = async (listPublicId: string, boardPublicId = world.board) => {
  const { body } = await world.admin.rest.get(`/boards/${boardPublicId}`);
  const list = body.lists.find((each: { publicId: string }) => each.publicId === listPublicId);
  return list.cards.map((card: { title: string }) => card.title);
};

describe("PUT /cards/{cardPublicId}", () => {
  test("returns exactly id, title, description and due date", async () => {
    const publicId = await makeCard(world.admin, world.list, "Before");
    const { status, body } = await world.member.rest.put(`/cards/${publicId}`, {
      title: "  After ",
      description: " As *it* is\n",
      dueDate: "2026-01-31T12:00:00+02:00",
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      publicId,
      title: "After",
      description: " As *it* is\n",
      dueDate: "2026-01-31T10:00:00.000Z",
    });
  });

  test("changes only given fields, and null clears nullable fields", async () => {
    const card = await makeCard(world.admin, world.list, "Whole");
    const put = (body?: object) => world.admin.rest.put(`/cards/${card}`, body);
    const whole = {
      publicId: card,
      title: "Whole",
      description: "Text",
      dueDate: "2026-01-31T10:00:00.000Z",
    };
    const { description, dueDate } = whole;
    expect((await put({ description, dueDate })).body).toEqual(whole);
    expect((await put({})).body).toEqual(whole);
    expect((await put()).body).toEqual(whole);
    expect((await put({ title: "Other" })).body).toEqual({ ...whole, title: "Other" });
    const emptied = { ...whole, title: "Other", description: null, dueDate: null };
    expect((await put({ description: null, dueDate: null })).body).toEqual(emptied);
    expect((await put({ description: "" })).body).toEqual({ ...emptied, description: "" });
  });

  test("moves the card within its list, to the end when the index is beyond it", async () => {
    const { lists } = await makeBoard(world.workspace, { lists: ["One"] });
    const [list = ""] = lists;
    const boardOf = (await world.admin.rest.get(`/lists/${list}`)).body.boardPublicId;
    const [a] = [
      await makeCard(world.admin, list, "a"),
      await makeCard(world.admin, list, "b"),
      await makeCard(world.admin, list, "c"),
    ];
    for (const [index, order] of [
      [1, ["b", "a", "c"]],
      [1, ["b", "a", "c"]],
      [2, ["b", "c", "a"]],
      [0, ["a", "b", "c"]],
      [2_147_483_647, ["b", "c", "a"]],
      [0, ["a", "b", "c"]],
    ] as const) {
      const { status, body } = await world.admin.rest.put(`/cards/${a}`, { index });
      expect({ status, body }).toEqual({
        status: 200,
        body: { publicId: a, title: "a", description: null, dueDate: null },
      });
      expect(await titles(list, boardOf)).toEqual(order);
    }
  });

  test("moves the card to another list, by default to its end", async () => {
    const { publicId, lists } = await makeBoard(world.workspace, { lists: ["One", "Two"] });
    const [one = "", two = ""] = lists;
    const card = await makeCard(world.admin, one, "a");
    await makeCard(world.admin, two, "b");
    await makeCard(world.admin, two, "c");
    const put = (body: object) => world.admin.rest.put(`/cards/${card}`, body);
    expect((await put({ listPublicId: two })).status).toBe(200);
    expect([await titles(one, publicId), await titles(two, publicId)]).toEqual([
      [],
      ["b", "c", "a"],
    ]);
    await put({ listPublicId: one, title: "A" });
    await put({ listPublicId: two, index: 1 });
    expect(await titles(two, publicId)).toEqual(["b", "A", "c"]);
  });

  test("is 404 for a list that is unknown, deleted or of another workspace, and moves nothing", async () => {
    const foreign = await makeBoard(await makeWorkspace(app()));
    const own = await makeBoard(await makeWorkspace(app(), world.admin));
    const { lists: gone } = await makeBoard(world.workspace);
    await world.admin.rest.delete(`/lists/${gone[0]}`);
    const card = await makeCard(world.admin, world.list, "Stays");
    for (const listPublicId of [unknownId, foreign.lists[0], own.lists[0], gone[0]]) {
      const body = { listPublicId, title: "Moved" };
      expectFailure(await world.admin.rest.put(`/cards/${card}`, body), "NOT_FOUND", [{}]);
    }
    expect((await world.admin.rest.get(`/cards/${card}`)).body).toMatchObject({
      title: "Stays",
      listPublicId: world.list,
    });
  });

  test("is 404 for a deleted card", async () => {
    const card = await makeCard(world.admin, world.list);
    await world.admin.rest.delete(`/cards/${card}`);
    expectFailure(await world.admin.rest.put(`/cards/${card}`, { title: "a" }), "NOT_FOUND", [{}]);
  });

  test("is allowed for its creator without card:edit, while they are a member", async () => {
    const workspace = await makeWorkspace(app());
    const { lists } = await makeBoard(workspace);
    const member = await join(app(), workspace, "member");
    const card = await makeCard(member, lists[0] ?? "");
    const path = `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions`;
    await workspace.admin.rest.post(`${path}/revoke`, { permission: "card:edit" });
    expect((await member.rest.put(`/cards/${card}`, { title: "Mine" })).status).toBe(200);
    const other = await makeCard(workspace.admin, lists[0] ?? "");
    const reply = await member.rest.put(`/cards/${other}`, { title: "Not mine" });
    expectFailure(reply, "FORBIDDEN", [{ code: "card:edit" }]);
  });
});
