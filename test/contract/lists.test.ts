import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard } from "../support/make.ts";
import { expectFailure, expectFaults } from "./failure.ts";
import { makeWorld, unknownId, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const names = async (boardPublicId: string) =>
  (await world.admin.rest.get(`/boards/${boardPublicId}`)).body.lists.map(
    (list: { name: string }) => list.name,
  );

describe("POST /lists", () => {
  test("returns exactly the id and the trimmed name", async () => {
    const { status, body } = await world.member.rest.post("/lists", {
      name: "\t Later  on ",
      boardPublicId: world.board,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
      name: "Later  on",
    });
    const { body: list } = await world.admin.rest.get(`/lists/${body.publicId}`);
    expect(list).toMatchObject({ name: "Later  on", boardPublicId: world.board, cardCount: 0 });
  });

  test.each([
    ["1 character", "a"],
    ["255 characters", "a".repeat(255)],
    ["255 characters of two halves each", "🙂".repeat(255)],
    ["text that looks like markup", "<b>'; DROP TABLE lists; --"],
    ["text of both directions", "‏שלום world"],
  ])("accepts a name of %s", async (_, name) => {
    const { publicId: boardPublicId } = await makeBoard(world.workspace, { lists: [] });
    const { status, body } = await world.admin.rest.post("/lists", { name, boardPublicId });
    expect({ status, name: body.name }).toEqual({ status: 200, name });
    expect(await names(boardPublicId)).toEqual([name]);
  });

  test.each([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a name of spaces", { name: "   " }, "name"],
    ["256 characters", { name: "a".repeat(256) }, "name"],
    ["256 characters of two halves each", { name: "🙂".repeat(256) }, "name"],
    ["null as name", { name: null }, "name"],
    ["no board", { boardPublicId: undefined }, "boardPublicId"],
    ["null as board", { boardPublicId: null }, "boardPublicId"],
    ["a board of 11 characters", { boardPublicId: "a".repeat(11) }, "boardPublicId"],
    ["a board of 65 characters", { boardPublicId: "a".repeat(65) }, "boardPublicId"],
    ["a negative index", { index: -1 }, "index"],
    ["half an index", { index: 0.5 }, "index"],
    ["an index in words", { index: "0" }, "index"],
    ["null as index", { index: null }, "index"],
    ["an index past all numbers of the database", { index: 2 ** 31 }, "index"],
    ["an id in another format", { publicId: "AAAAAAAAAAAA" }, "publicId"],
  ])("rejects %s", async (_, fields, field) => {
    const before = await names(world.board);
    const body = { name: "a", boardPublicId: world.board, ...fields };
    const reply = await world.admin.rest.post("/lists", body);
    expectFaults(reply, field);
    expect(await names(world.board)).toEqual(before);
  });

  test("reports all issues at once", async () => {
    const reply = await world.admin.rest.post("/lists", { boardPublicId: "y", nonsense: 1 });
    expectFaults(reply, "boardPublicId", "name", "nonsense");
  });

  test("is 404 for a board that is unknown or deleted", async () => {
    const { publicId } = await makeBoard(world.workspace);
    await world.admin.rest.delete(`/boards/${publicId}`);
    for (const boardPublicId of [unknownId, "z".repeat(64), publicId, publicId.toUpperCase()]) {
      const reply = await world.admin.rest.post("/lists", { name: "a", boardPublicId });
      expectFailure(reply, "NOT_FOUND", [{}]);
    }
  });
});
