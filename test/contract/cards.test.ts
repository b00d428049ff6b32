import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { expectFailure, expectFaults } from "./failure.ts";
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
  test("answers exactly id, title, description and due date", async () => {
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

  test("changes nothing but what is given, and null empties what can be empty", async () => {
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

  test("moves the card to a place of its list, to the end when the place is past it", async () => {
    const { lists } = await makeBoard(world.workspace, { lists: ["One"] });
    const [list = ""] = lists;
    const boardOf = (await world.admin.rest.get(`/lists/${list}`)).body.boardPublicId;
    const [a = ""] = [
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

  test("moves the card to another list, at its end unless told where", async () => {
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
    await app().db.transact((tx) =>
      tx.list.updateMany({
        where: { publicId: { in: gone } },
        data: { deletedAt: app().deps.clock() },
      }),
    );
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

  test.each([
    ["1 character", { title: "a" }],
    ["2,000 characters of two halves each", { title: "🙂".repeat(2000) }],
    ["a description of 100,000 characters", { description: "ü".repeat(100_000) }],
    ["the first moment", { dueDate: "0001-01-01T00:00:00Z" }],
    ["the last moment", { dueDate: "9999-12-31T23:59:59.999Z" }],
    ["a leap day", { dueDate: "2028-02-29T00:00:00Z" }],
  ])("accepts %s, and reads it back", async (_, body) => {
    const card = await makeCard(world.admin, world.list);
    const { status, body: answer } = await world.admin.rest.put(`/cards/${card}`, body);
    const expected = {
      ...body,
      ...("dueDate" in body ? { dueDate: body.dueDate.replace(/(:\d\d)Z$/, "$1.000Z") } : {}),
    };
    expect({ status, body: answer }).toMatchObject({ status: 200, body: expected });
    expect((await world.admin.rest.get(`/cards/${card}`)).body).toMatchObject(expected);
    expect((await world.admin.rest.put(`/cards/${card}`, {})).body).toEqual(answer);
  });

  test.each([
    ["an empty title", { title: "" }, "title"],
    ["a title of spaces", { title: " \n" }, "title"],
    ["2,001 characters", { title: "a".repeat(2001) }, "title"],
    ["2,001 characters of two halves each", { title: "🙂".repeat(2001) }, "title"],
    ["null as title", { title: null }, "title"],
    ["an object as title", { title: {} }, "title"],
    ["a description of 100,001 characters", { description: "a".repeat(100_001) }, "description"],
    ["a number as description", { description: 1 }, "description"],
    ["a negative index", { index: -1 }, "index"],
    ["half an index", { index: 1.5 }, "index"],
    ["an index in words", { index: "1" }, "index"],
    ["an index past all numbers of the database", { index: 2 ** 31 }, "index"],
    ["an index past all whole numbers", { index: 1e300 }, "index"],
    ["true as index", { index: true }, "index"],
    ["null as index", { index: null }, "index"],
    ["null as list", { listPublicId: null }, "listPublicId"],
    ["a list of 11 characters", { listPublicId: "a".repeat(11) }, "listPublicId"],
    ["a date without a time", { dueDate: "2026-01-31" }, "dueDate"],
    ["a time without an offset", { dueDate: "2026-01-31T10:00:00" }, "dueDate"],
    ["a day that does not exist", { dueDate: "2026-02-30T10:00:00Z" }, "dueDate"],
    ["a leap day of another year", { dueDate: "2026-02-29T10:00:00Z" }, "dueDate"],
    ["an hour that does not exist", { dueDate: "2026-01-31T25:00:00Z" }, "dueDate"],
    ["a year past 9999", { dueDate: "+010000-01-01T00:00:00Z" }, "dueDate"],
    ["the year 0", { dueDate: "0000-01-01T00:00:00Z" }, "dueDate"],
    ["a moment before the first", { dueDate: "0001-01-01T00:00:00+01:00" }, "dueDate"],
    ["a moment after the last", { dueDate: "9999-12-31T23:59:59-01:00" }, "dueDate"],
    ["milliseconds as a number", { dueDate: 1_769_853_600_000 }, "dueDate"],
    ["an empty date", { dueDate: "" }, "dueDate"],
    ["words", { dueDate: "tomorrow" }, "dueDate"],
    ["a label", { labelPublicIds: [] }, "labelPublicIds"],
    ["a version", { version: 1 }, "version"],
    ["an id", { publicId: "aaaaaaaaaaaa" }, "publicId"],
  ])("refuses %s", async (_, body, field) => {
    const before = (await world.admin.rest.get(`/cards/${world.card}`)).body;
    const reply = await world.admin.rest.put(`/cards/${world.card}`, { title: "New", ...body });
    expectFaults(reply, field);
    expect((await world.admin.rest.get(`/cards/${world.card}`)).body).toEqual(before);
  });

  test("is 404 for a deleted card", async () => {
    const card = await makeCard(world.admin, world.list);
    await world.admin.rest.delete(`/cards/${card}`);
    expectFailure(await world.admin.rest.put(`/cards/${card}`, { title: "a" }), "NOT_FOUND", [{}]);
  });

  test("is allowed to its creator without card:edit, while they are a member", async () => {
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

describe("PUT /cards/{cardPublicId}/labels/{labelPublicId}", () => {
  const toggle = (card: string, label: string, body?: unknown) =>
    world.member.rest.put(`/cards/${card}/labels/${label}`, body);
  const labelsOf = async (card: string) =>
    (await world.admin.rest.get(`/cards/${card}`)).body.labels;

  test("puts the label on, takes it off, puts it on: newLabel says which", async () => {
    const card = await makeCard(world.admin, world.list);
    for (const [body, newLabel] of [
      [undefined, true],
      [{}, false],
      [undefined, true],
    ] as const) {
      const reply = await toggle(card, world.label, body);
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 200,
        body: { newLabel },
      });
      const label = { publicId: world.label, name: "Label 0", colourCode: "#1f2e3d" };
      expect(await labelsOf(card)).toEqual(newLabel ? [label] : []);
    }
  });

  test("ends as it began after an even number of simultaneous calls", async () => {
    const card = await makeCard(world.admin, world.list);
    const replies = await Promise.all(Array.from({ length: 6 }, () => toggle(card, world.label)));
    expect(replies.map(({ body }) => body.newLabel).toSorted()).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(await labelsOf(card)).toEqual([]);
  });

  test("is 404 for a label that is unknown, deleted, or of another board or workspace", async () => {
    const sibling = await makeBoard(world.workspace);
    const foreign = await makeBoard(await makeWorkspace(app(), world.admin));
    const { labels: gone } = await makeBoard(world.workspace);
    await app().db.transact((tx) =>
      tx.label.updateMany({
        where: { publicId: { in: gone } },
        data: { deletedAt: app().deps.clock() },
      }),
    );
    for (const label of [unknownId, sibling.labels[0], foreign.labels[0], gone[0]]) {
      expectFailure(await toggle(world.card, label ?? ""), "NOT_FOUND", [{}]);
    }
    expect(await labelsOf(world.card)).toEqual([]);
  });

  test("is 404 for a deleted card", async () => {
    const card = await makeCard(world.admin, world.list);
    await world.admin.rest.delete(`/cards/${card}`);
    expectFailure(await toggle(card, world.label), "NOT_FOUND", [{}]);
  });
});
