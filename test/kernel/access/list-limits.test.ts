import { describe, expect, test } from "vitest";
import { z } from "zod";
import { catalog, enteringEvents, type EventType } from "../../../src/contract/events.ts";
import { bringsCards, ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { fillLists, freeLists, listsOverLimit } from "../../support/list-limits.ts";
import { oneApiOf, operations, routeOf, send, writes } from "./call.ts";
import { inputs } from "./inputs.ts";
import { adminKey, useWorld } from "./world.ts";

const world = useWorld();
const mutations = operations.filter(writes);

/** The operations whose inputs put a card into a full list. */
const refused = new Set<Operation>([
  "card.create",
  "card.duplicate",
  "card.restore",
  "checklist.convertItem",
  "list.moveCards",
]);

describe("no write puts a card into a full list", () => {
  test.each(mutations)("%s", async (operation) => {
    const { app, fixtures } = world();
    const target = await inputs[operation](world(), fixtures.admin);
    const [api = "REST"] = oneApiOf(operation);
    await fillLists(app);
    expect(await listsOverLimit(app)).toEqual([]);
    const token = target.token ?? fixtures.admin.token;
    const headers = { "X-Admin-Key": adminKey };
    const response = await send(app, api, operation, target.input, token, headers);
    const { text } = response;
    // A browser that is sent on was served.
    const status = response.status === 303 ? 200 : response.status;
    const over = await listsOverLimit(app);
    await freeLists(app);
    await target.undo?.();
    expect(over).toEqual([]);
    expect({ status, isFull: text.includes("wip_limit") }, text).toEqual(
      refused.has(operation) ? { status: 409, isFull: true } : { status: 200, isFull: false },
    );
  });
});

const hasField = (schema: unknown, field: string) =>
  schema instanceof z.ZodObject && Object.hasOwn(schema.shape, field);

/** Whether an event shows a card in a list where it was not, or a list with its cards. */
const showsEntry = (type: EventType) => {
  const { shape } = catalog[type].data as z.ZodObject;
  return hasField(shape["to"], "listPublicId") || "cards" in shape;
};

test("the events that bring cards into lists are those that show them there, and a new board", () => {
  const showing = (Object.keys(catalog) as EventType[]).filter(showsEntry);
  expect([...enteringEvents].toSorted()).toEqual([...showing, "board.created"].toSorted());
});

test("an operation that may bring cards into lists takes `override`, and no other one does", () => {
  const taking = operations.filter((one) => Object.hasOwn(routeOf(one).schema.shape, "override"));
  expect(taking).toEqual(operations.filter((one) => bringsCards(ruleOf(one))));
  expect(taking.toSorted()).toEqual([
    "board.create",
    "card.bulkUpdate",
    "card.create",
    "card.duplicate",
    "card.restore",
    "card.update",
    "checklist.convertItem",
    "list.move",
    "list.moveCards",
    "list.restore",
    "list.update",
  ]);
});
