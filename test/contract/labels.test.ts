import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard } from "../support/make.ts";
import { expectFailure, expectFaults } from "./failure.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const put = (body: unknown, label = world.label) => world.member.rest.put(`/labels/${label}`, body);
const good = { name: "Bug", colourCode: "#a1b2c3" };

describe("PUT /labels/{labelPublicId}", () => {
  test("returns exactly id, trimmed name and colour, also when repeated", async () => {
    for (const name of ["  Urgent ", "Urgent"]) {
      const { status, body } = await put({ ...good, name });
      expect({ status, body }).toEqual({
        status: 200,
        body: { publicId: world.label, name: "Urgent", colourCode: "#a1b2c3" },
      });
    }
    const { body: board } = await world.admin.rest.get(`/boards/${world.board}`);
    expect(board.labels).toMatchObject([{ publicId: world.label, name: "Urgent" }]);
  });

  test.each([
    ["1 character", { name: "a" }],
    ["36 characters", { name: "a".repeat(36) }],
    ["36 characters of two halves each", { name: "🙂".repeat(36) }],
    ["a colour in capitals", { colourCode: "#ABCDEF" }],
  ])("accepts %s", async (_, fields) => {
    const { status, body } = await put({ ...good, ...fields });
    expect({ status, body }).toEqual({
      status: 200,
      body: { publicId: world.label, ...good, ...fields },
    });
  });

  test.each([
    ["nothing", { name: undefined, colourCode: undefined }, ["name", "colourCode"]],
    ["no name", { name: undefined }, ["name"]],
    ["no colour", { colourCode: undefined }, ["colourCode"]],
    ["an empty name", { name: "" }, ["name"]],
    ["a name of spaces", { name: "  " }, ["name"]],
    ["37 characters", { name: "a".repeat(37) }, ["name"]],
    ["37 characters of two halves each", { name: "🙂".repeat(37) }, ["name"]],
    ["null as name", { name: null }, ["name"]],
    ["null as colour", { colourCode: null }, ["colourCode"]],
    ["a number as colour", { colourCode: 0x1f2e3d }, ["colourCode"]],
    ["a board", { boardPublicId: "aaaaaaaaaaaa" }, ["boardPublicId"]],
  ])("rejects %s", async (_, fields, paths) => {
    const reply = await put({ ...good, ...fields });
    expectFaults(reply, ...paths);
  });

  test.each([
    "",
    "#12345",
    "#1234567",
    "1234567",
    "#12345g",
    "#abcdé0",
    " #12345",
    "#abcdef\n",
    "#abc",
    "rgb(0,0",
    "##12345",
    "🙂🙂🙂a",
    "🙂🙂🙂🙂🙂🙂🙂",
  ])("rejects the colour %j", async (colourCode) => {
    const reply = await put({ ...good, colourCode });
    expectFaults(reply, "colourCode");
  });

  test("is 404 for a label that is deleted, or whose board is", async () => {
    const first = await makeBoard(world.workspace);
    const second = await makeBoard(world.workspace);
    await world.admin.rest.delete(`/labels/${first.labels[0]}`);
    await world.admin.rest.delete(`/boards/${second.publicId}`);
    for (const [label] of [first.labels, second.labels]) {
      expectFailure(await put(good, label), "NOT_FOUND", [{}]);
    }
  });
});
