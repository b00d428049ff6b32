import { jobsOf } from "../jobs/fixtures.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../src/contract/policy.ts";
import { apisOf, few, operations, routeOf, send, writes, type Api, type Input } from "./call.ts";
import type { Fixtures, Kind } from "./fixtures.ts";
import { neededBy } from "./expected.ts";
import { choices, isFilter, kindOfField, withIdsOf } from "./foreign.ts";
import type { Choose as actors } from "./matrix.ts";
import { inputs } from "./inputs.ts";
import { canary, makeHidden } from "./make-hidden.ts";
import { makeActors, type Actor } from "./actors.ts";
import { snapshot } from "./snapshot.ts";
import { useWorld } from "./world.ts";

/** The kinds of resources that are under a board. */
const underBoard: ReadonlySet<Kind> = new Set([
  "board",
  "list",
  "label",
  "field",
  "view",
  "card",
  "checklist",
  "checklistItem",
  "comment",
  "attachment",
]);

/** Creates a card on the restricted board, renames it and moves it to the fixtures' board. */
async function moveOut({ admin, ids }: Fixtures, hidden: Fixtures): Promise<string> {
  const fields = { title: `${canary} moved`, listPublicId: hidden.ids.list };
  const { body } = await admin.rest.post("/cards", fields);
  await admin.rest.post(`/cards/${body.publicId}/comments`, { comment: `${canary} then` });
  await admin.rest.put(`/cards/${body.publicId}`, { title: "Plain" });
  const { body: comments } = await admin.rest.get(`/cards/${body.publicId}/comments`);
  await admin.rest.delete(`/cards/${body.publicId}/comments/${comments.items[0].publicId}`);
  await admin.rest.put(`/cards/${body.publicId}`, { listPublicId: ids.list });
  return body.publicId;
}

/**
 * Whether an actor sees no restricted board: an admin does, and a key with all of their rights.
 */
function isBlind({ membership }: Actor): boolean {
  const { role, removed, key, override } = membership;
  if (role !== "admin" || removed === true || override === "revoked") return true;
  return (
    key?.board !== undefined || key?.workspace === "elsewhere" || key?.permissions === "needed"
  );
}

/** Whether an actor has `workspace:manage` during an operation, and so sees restricted boards. */
function manages({ membership }: Actor, operation: Operation): boolean {
  const { override, key, role } = membership;
  const isNeeded = neededBy(operation) === "workspace:manage";
  if (override === "revoked" && role === "admin") return !isNeeded;
  return isNeeded && (override === "granted" || key?.permissions === "needed");
}

/** Whether a field of an operation names a resource under a board. */
function isUnderBoard(operation: Operation, field: string): boolean {
  const kind = kindOfField(field);
  const isField = isFilter(field) || Object.hasOwn(routeOf(operation).schema.shape, field);
  return kind !== undefined && isField && underBoard.has(kind);
}

/** Tests that a restricted board is hidden from everyone who is not on it. */
export function testHidden(choose: actors = (actors) => actors) {
  const world = useWorld();
  /** The fixtures, with the ids of a restricted board instead of those of its first board. */
  let hidden: Fixtures;
  let actors: Actor[];
  /** A card that has left the restricted board, whose texts have the canary no more. */
  let moved: string;

  beforeAll(async () => {
    hidden = await makeHidden(world().fixtures);
    moved = await moveOut(world().fixtures, hidden);
    actors = (await makeActors(world())).filter(isBlind);
  });

  const blindTo = (operation: Operation) =>
    choose(
      actors.filter((actor) => !manages(actor, operation)),
      operation,
    );

  /** Calls with ids of the restricted board; answers what is wrong with the response. */
  async function call(
    api: Api,
    operation: Operation,
    actor: Actor,
    fields: string[],
    input: Input,
  ): Promise<string[]> {
    const { token, headers } = actor;
    const named = withIdsOf(input, fields, hidden);
    const { status, text } = await send(world().app, api, operation, named, token, headers);
    const where = `${actor.name} with hidden ${fields.join()} over ${api}`;
    const isRefused = status >= 400 && status < 500;
    const isNarrowed = fields.every(isFilter) && status === 200;
    return [
      ...(isRefused || isNarrowed ? [] : [`${where}: ${status} ${text.slice(0, 200)}`]),
      ...(text.includes(canary) ? [`${where} reads ${text.slice(0, 400)}`] : []),
    ];
  }

  describe("ids of a restricted board, in any field, reveal and change nothing", () => {
    const naming = operations.filter((operation) =>
      choices(operation, {})
        .flat()
        .some((field) => isUnderBoard(operation, field)),
    );

    test.each(naming)("%s", async (operation) => {
      const { app, fixtures } = world();
      const callers = blindTo(operation);
      await Promise.all(callers.map((actor) => actor.before(operation)));
      const { input, undo } = await inputs[operation](world(), fixtures.admin);
      const before = await snapshot(app, fixtures.id);
      const faults = await few(
        choices(operation, input)
          .filter((fields) => fields.every((field) => isUnderBoard(operation, field)))
          .flatMap((fields) =>
            callers.flatMap((actor) =>
              apisOf(operation).map((api) => () => call(api, operation, actor, fields, input)),
            ),
          ),
      );
      expect(faults.flat()).toEqual([]);
      expect(await snapshot(app, fixtures.id)).toEqual(before);
      await undo?.();
    });
  });

  describe("no response to a caller who is not on a restricted board has its texts", () => {
    test.each(operations.filter((operation) => !writes(operation)))("%s", async (operation) => {
      const callers = blindTo(operation);
      await Promise.all(callers.map((actor) => actor.before(operation)));
      const faults = await few(
        callers.map((actor) => async () => {
          const target = await inputs[operation](world(), actor.who);
          const { input, token = actor.token } = target;
          const own = actor.membership.key === undefined ? token : actor.token;
          const others = "cardPublicId" in input ? [{ ...input, cardPublicId: moved }] : [];
          const texts: string[] = [];
          for (const one of [input, ...others]) {
            const { text } = await send(world().app, "REST", operation, one, own, actor.headers);
            texts.push(text);
          }
          return texts
            .filter((text) => text.includes(canary))
            .map((text) => `${actor.name} reads ${text.slice(0, 400)}`);
        }),
      );
      expect(faults.flat()).toEqual([]);
    });
  });

  test("no notification, mail or error log for them has its texts", async () => {
    const { app } = world();
    const users = actors.flatMap(({ who }) => (who === undefined ? [] : [who.id]));
    const notifications = await app.db.reader.notification.findMany({
      where: { userId: { in: users } },
    });
    const mails = await jobsOf(app);
    const stored = JSON.stringify([...notifications, ...mails], (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(stored).not.toContain(canary);
    expect(app.errors.join("\n")).not.toContain(canary);
  });
}
