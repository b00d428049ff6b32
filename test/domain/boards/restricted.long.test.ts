import { beforeAll, describe, expect, test } from "vitest";
import { apis, apisOf, isOnBoard, operations, send } from "../../kernel/access/call.ts";
import { inputs } from "../../kernel/access/inputs.ts";
import { setOverride } from "../../kernel/access/membership.ts";
import { person, type Actor } from "../../kernel/access/actors.ts";
import { snapshot } from "../../kernel/access/snapshot.ts";
import { useWorld } from "../../kernel/access/world.ts";
import type { Operation } from "../../../src/contract/policy.ts";

const world = useWorld();
const underBoards = operations.filter(isOnBoard);
let off: Actor;
let on: Actor;
let manager: Actor;
let stripped: Actor;

const needs = { credential: "good", role: "guest", override: "granted" } as const;

beforeAll(async () => {
  const { app, fixtures } = world();
  const { rest } = fixtures.admin;
  await rest.put(`/boards/${fixtures.ids.board}`, { visibility: "restricted" });
  off = await person(world(), "a member who is not on it", needs);
  on = await person(world(), "a member who is on it", needs);
  manager = await person(world(), "an admin who is not on it", {
    credential: "good",
    role: "admin",
  });
  stripped = await person(world(), "an admin without workspace:manage", {
    credential: "good",
    role: "admin",
  });
  const memberOf = async ({ who }: Actor) => {
    const where = { userId: who?.id ?? 0n, workspaceId: fixtures.id };
    return (await app.db.reader.member.findFirst({ where }))?.publicId ?? "";
  };
  await rest.put(`/boards/${fixtures.ids.board}/members/${await memberOf(on)}`);
  await setOverride(app, await memberOf(stripped), "workspace:manage", false);
});

async function statuses(operation: Operation, actor: Actor): Promise<number[]> {
  const replies = [];
  for (const api of apisOf(operation)) {
    const { input, undo } = await inputs[operation](world(), actor.who);
    replies.push((await send(world().app, api, operation, input, actor.token)).status);
    await undo?.();
  }
  return replies;
}

describe("a restricted board, and everything under it", () => {
  test.each(underBoards)(
    "%s is for those on the board and for managers alone",
    async (operation) => {
      const { app, fixtures } = world();
      for (const actor of [off, on]) await actor.before(operation);
      const { input } = await inputs[operation](world(), undefined);
      const before = await snapshot(app, fixtures.id);
      for (const actor of [off, stripped]) {
        for (const api of apis) {
          const { status, text } = await send(app, api, operation, input, actor.token);
          expect({ who: actor.name, api, status }).toEqual({
            who: actor.name,
            api,
            status: 403,
          });
          expect(text).not.toContain(fixtures.word);
        }
      }
      expect(await snapshot(app, fixtures.id)).toEqual(before);
      const admitted = apisOf(operation).map(() => 200);
      expect(await statuses(operation, on)).toEqual(admitted);
      expect(await statuses(operation, manager)).toEqual(admitted);
    },
  );

  test("refuses cards of callers who are not on it", async () => {
    const { app, fixtures } = world();
    await off.before("card.update");
    const input = { cardPublicId: fixtures.other.card, listPublicId: fixtures.ids.list };
    for (const api of apis) {
      const { status, text } = await send(app, api, "card.update", input, off.token);
      expect(status).toBe(404);
      expect(text).toContain("list_not_found");
    }
    await on.before("card.update");
    expect((await send(app, "REST", "card.update", input, on.token)).status).toBe(200);
  });

  test("does not show to a member's key what the member does not see", async () => {
    const { app, fixtures } = world();
    const make = (who: Actor) =>
      app.call({
        method: "POST",
        path: "/auth/api-keys",
        token: who.token,
        body: { name: "key", password: "a password for tests" },
      });
    const read = async (who: Actor) =>
      app.call({
        method: "GET",
        path: `/boards/${fixtures.ids.board}`,
        token: (await make(who)).body.key,
      });
    for (const actor of [off, on]) await actor.before("board.get");
    expect((await read(off)).status).toBe(403);
    expect((await read(on)).status).toBe(200);
  });

  test("cannot be bound to a key of a caller who cannot see it", async () => {
    const { app, fixtures } = world();
    for (const actor of [off, on]) await actor.before("board.get");
    const bind = (who: Actor) =>
      app.call({
        method: "POST",
        path: "/auth/api-keys",
        token: who.token,
        body: { name: "bound", boardPublicId: fixtures.ids.board },
      });
    expect((await bind(off)).status).toBe(403);
    expect((await bind(on)).status).toBe(200);
  });
});
