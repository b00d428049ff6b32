import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeCard } from "../support/make.ts";
import { expectFaults } from "./failure.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

describe("PUT /cards/{cardPublicId}", () => {
  test.each([
    ["1 character", { title: "a" }],
    ["2,000 characters of two halves each", { title: "🙂".repeat(2000) }],
    ["a description of 100,000 characters", { description: "ü".repeat(100_000) }],
    ["the first moment", { dueDate: "0001-01-01T00:00:00Z" }],
    ["the last moment", { dueDate: "9999-12-31T23:59:59.999Z" }],
    ["a leap day", { dueDate: "2028-02-29T00:00:00Z" }],
  ])("accepts %s, and reads it back", async (_, body) => {
    const card = await makeCard(world.admin, world.list);
    const { status, body: response } = await world.admin.rest.put(`/cards/${card}`, body);
    const expected = {
      ...body,
      ...("dueDate" in body ? { dueDate: body.dueDate.replace(/(:\d\d)Z$/, "$1.000Z") } : {}),
    };
    expect({ status, body: response }).toMatchObject({ status: 200, body: expected });
    expect((await world.admin.rest.get(`/cards/${card}`)).body).toMatchObject(expected);
    expect((await world.admin.rest.put(`/cards/${card}`, {})).body).toEqual(response);
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
    ["a date that does not exist", { dueDate: "2026-02-30" }, "dueDate"],
    ["a time without seconds or minutes", { dueDate: "2026-01-31T10" }, "dueDate"],
    ["a day that does not exist", { dueDate: "2026-02-30T10:00:00Z" }, "dueDate"],
    ["a leap day of another year", { dueDate: "2026-02-29T10:00:00Z" }, "dueDate"],
    ["an hour that does not exist", { dueDate: "2026-01-31T25:00:00Z" }, "dueDate"],
    ["a year past 9999", { dueDate: "+010000-01-01T00:00:00Z" }, "dueDate"],
    ["the year 0", { dueDate: "0000-01-01T00:00:00Z" }, "dueDate"],
    ["a moment before the first", { dueDate: "0001-01-01T00:00:00+01:00" }, "dueDate"],
    ["a moment after the last", { dueDate: "9999-12-31T23:59:59-01:00" }, "dueDate"],
    ["a number past the year 9999", { dueDate: 1e15 }, "dueDate"],
    ["an empty date", { dueDate: "" }, "dueDate"],
    ["words", { dueDate: "tomorrow" }, "dueDate"],
    ["checklists", { checklists: [] }, "checklists"],
    ["a version", { version: 1 }, "version"],
    ["an id", { publicId: "aaaaaaaaaaaa" }, "publicId"],
  ])("refuses %s", async (_, body, field) => {
    const before = (await world.admin.rest.get(`/cards/${world.card}`)).body;
    const reply = await world.admin.rest.put(`/cards/${world.card}`, { title: "New", ...body });
    expectFaults(reply, field);
    expect((await world.admin.rest.get(`/cards/${world.card}`)).body).toEqual(before);
  });
});
