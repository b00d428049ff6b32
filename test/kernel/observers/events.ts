import { expect } from "vitest";
import { emitsToWorkspaces, ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { subjectOf } from "../../../src/contract/event-data.ts";
import { catalog, isPersonal, type EventType } from "../../../src/contract/events.ts";
import { operations, writes } from "../access/call.ts";
import { apart, eventsOf, main, updates, writtenWith, type Event } from "../access/perform.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";
import { findEvents } from "../../support/events.ts";

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
  "openBlockers",
  "attachmentCount",
  "people",
]);

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

/** The actor of what an operator does: members see neither who nor where it was. */
const operatorActor = {
  actorType: "system",
  actorUserId: null,
  actorPublicId: null,
  actorName: "operator",
  credential: null,
};

/** What a write of the inputs announces in workspaces, in its transaction. */
async function expectEvents({ app, fixtures }: World, operation: Operation, events: Event[]) {
  const type = main[operation];
  expect(events.map((event) => event.type)).toEqual(type === undefined ? [] : [type]);
  expect(type === undefined, "the row's emits and this table").toBe(
    !emitsToWorkspaces(ruleOf(operation)),
  );
  const [event] = events;
  if (type === undefined || event === undefined) return;
  expect(event).toMatchObject({
    publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
    createdAt: app.deps.clock(),
    isActivity: catalog[type].isActivity,
    ...(ruleOf(operation).on === "operator"
      ? { ...operatorActor, ip: null }
      : {
          actorType: "user",
          actorUserId: fixtures.admin.id,
          actorPublicId: fixtures.admin.publicId,
          credential: "session",
        }),
  });
  if (!leavingNothing.has(operation)) expect(await writtenWith(app, [event])).toBeGreaterThan(0);
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

/**
 * A write announces its event once, in its transaction, and a read nothing. Of the main events of
 * each write there is a table.
 */
export function announces(world: () => World): Observer {
  const ofUsers = { userId: { not: null } };
  let seen = 0;
  return {
    name: "announces its event once, in its transaction",
    watches: () => true,
    async before() {
      seen = await world().app.db.reader.event.count({ where: ofUsers });
    },
    async after({ operation, headers, requestId }) {
      const { app } = world();
      const events = await eventsOf(app, requestId);
      if (!writes(operation)) return expect(events).toEqual([]);
      const ownEvents = await findEvents(app, {
        where: ofUsers,
        skip: seen,
        orderBy: { id: "asc" },
      });
      expectOwnEvent(operation, ownEvents);
      expectHeaders(headers, events);
      if (!apart.includes(operation)) await expectEvents(world(), operation, events);
    },
    ends: {
      async "no two events show one version of a resource, but for the members of boards"() {
        const events = await findEvents(world().app, { where: { userId: null } });
        const shown = events.flatMap(({ type, data }) => {
          if (type.startsWith("board.member_")) return [];
          const subject = (data as Record<string, any>)[subjectOf(type as EventType)];
          return subject?.version === undefined ? [] : `${subject.publicId} ${subject.version}`;
        });
        expect(shown.length).toBeGreaterThan(operations.filter(writes).length / 2);
        expect(shown.filter((one, nth) => shown.indexOf(one) !== nth)).toEqual([]);
      },
    },
  };
}
