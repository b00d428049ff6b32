import { describe, expect, test } from "vitest";
import { emitsToWorkspaces, ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { subjectOf } from "../../../src/contract/event-data.ts";
import { catalog, isPersonal, type EventType } from "../../../src/contract/events.ts";
import { apis, operations, writes, type Api, type ChooseApis } from "../access/call.ts";
import { apart, main, perform, updates } from "../access/perform.ts";
import { useWorld, type World } from "../access/world.ts";

/** Where a value holds what only the database should know. */
function internals(value: unknown, path = "data"): string[] {
  if (typeof value === "bigint") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const where = `${path}.${key}`;
    const known =
      key === "id" || key === "position" || (key.endsWith("Id") && !/public/i.test(key));
    return known ? [where] : internals(item, where);
  });
}

/** The bare numbers of a value, by their key. */
function numbers(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === "number" ? [key] : numbers(item),
  );
}

/** Writes that only take rows away. */
const leavingNothing = new Set<string>(["role.delete", "board.removeMember"]);

/** The numbers that an event may show. */
const plain = new Set([
  "version",
  "hierarchyLevel",
  "weekStartDay",
  "wipLimit",
  "clearedCards",
  "index",
  "size",
  "done",
  "total",
  "completed",
  "commentCount",
  "attachmentCount",
  "people",
]);

const mutations = operations.filter(writes);

/** Tests that every write announces its event once. */
export function testEmits(openApis: ChooseApis) {
  const world = useWorld();
  describe.each(apis)("a write over %s announces its event once, in its transaction", (api) => {
    const open = mutations.filter((one) => openApis(one).some((its) => its === api));
    test.each(open)("%s", (operation) => expectEvent(world(), api, operation));
  });

  test("no two events show one version of a resource, but for the members of boards", async () => {
    const events = await world().app.db.reader.event.findMany({});
    const shown = events.flatMap(({ type, data }) => {
      if (type.startsWith("board.member_")) return [];
      const subject = (data as Record<string, any>)[subjectOf(type as EventType)];
      return subject?.version === undefined ? [] : `${subject.publicId} ${subject.version}`;
    });
    expect(shown.length).toBeGreaterThan(mutations.length / 2);
    expect(shown.filter((one, nth) => shown.indexOf(one) !== nth)).toEqual([]);
  });
}

/** The last event that is not personal is named in the response, with the cursor after it. */
function expectHeaders(headers: Headers, events: { type: string; publicId: string }[]) {
  const shown = events.filter(({ type }) => !isPersonal(type as EventType));
  expect(headers.get("last-event")).toBe(shown.at(-1)?.publicId ?? null);
  if (shown.length > 0) expect(headers.get("feed-cursor")).toMatch(/^v1\./);
}

/** A write of what only the caller sees has one event in the caller's log, which its row names. */
function expectOwnEvent(operation: Operation, ownEvents: { type: string }[]) {
  const rule = ruleOf(operation);
  if (rule.emits === undefined || emitsToWorkspaces(rule)) return;
  expect(ownEvents).toHaveLength(1);
  expect(rule.emits).toContain(ownEvents[0]?.type);
}

async function expectEvent(world: World, api: Api, operation: Operation) {
  const { estate } = world;
  const { reader } = world.app.db;
  const seen = await reader.userEvent.count();
  const { status, text, headers, events, rows } = await perform(world, api, operation);
  expect(status, text).toBe(200);
  const ownEvents = await reader.userEvent.findMany({ skip: seen, orderBy: { id: "asc" } });
  expectOwnEvent(operation, ownEvents);
  expectHeaders(headers, events);
  if (apart.includes(operation)) return;
  const type = main[operation];
  expect(events.map((event) => event.type)).toEqual(type === undefined ? [] : [type]);
  expect(type === undefined, "the row's emits and this table").toBe(
    !emitsToWorkspaces(ruleOf(operation)),
  );
  const [event] = events;
  if (type === undefined || event === undefined) return;
  expect(event).toMatchObject({
    publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
    createdAt: world.app.deps.clock(),
    isActivity: catalog[type].isActivity,
    actorType: "user",
    actorUserId: estate.admin.id,
    actorPublicId: estate.admin.publicId,
    credential: "session",
  });
  if (!leavingNothing.has(operation)) expect(rows).toBeGreaterThan(0);
  const data = event.data as Record<string, { publicId: string } | undefined>;
  expect(catalog[type].data.strict().parse(data)).toEqual(data);
  expect(data[subjectOf(type)]?.publicId).toMatch(/^[0-9a-z]{12}$|^member/);
  expect(internals(data)).toEqual([]);
  expect(internals(event.changes)).toEqual([]);
  expect(numbers(data).filter((key) => !plain.has(key))).toEqual([]);
  expect({ board: event.boardPublicId, card: event.cardPublicId }).toEqual({
    board: data["board"]?.publicId ?? null,
    card: data["card"]?.publicId ?? null,
  });
  if (operation.startsWith("card.") || operation.startsWith("checklist."))
    expect(event.cardPublicId).not.toBeNull();
  if (updates.includes(operation)) {
    const changes = Object.values(event.changes as Record<string, Record<string, unknown>>);
    expect(changes.length).toBeGreaterThan(0);
    for (const change of changes) {
      expect(Object.keys(change).toSorted()).toEqual(["from", "to"]);
      expect(change["from"]).not.toEqual(change["to"]);
    }
  } else {
    expect(event.changes).toBeNull();
  }
}
