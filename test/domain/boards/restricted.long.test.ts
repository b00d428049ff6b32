import { beforeAll, describe, expect, test } from "vitest";
import { apis, apisOf, isOnBoard, operations, send } from "../../kernel/access/call.ts";
import { inputs } from "../../kernel/access/inputs.ts";
import { setOverride } from "../../kernel/access/membership.ts";
import { person, type Persona } from "../../kernel/access/personas.ts";
import { snapshot } from "../../kernel/access/snapshot.ts";
import { useWorld } from "../../kernel/access/world.ts";
import type { Operation } from "../../../src/contract/policy.ts";

const world = useWorld();
const underBoards = operations.filter(isOnBoard);
let off: Persona;
let on: Persona;
let manager: Persona;
let stripped: Persona;

const needs = { credential: "good", role: "guest", override: "granted" } as const;

beforeAll(async () => {
  const { app, estate } = world();
  const { rest } = estate.admin;
  await rest.put(`/boards/${estate.ids.board}`, { visibility: "restricted" });
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
  const memberOf = async ({ who }: Persona) => {
    const where = { userId: who?.id ?? 0n, workspaceId: estate.id };
    return (await app.db.reader.member.findFirst({ where }))?.publicId ?? "";
  };
  await rest.put(`/boards/${estate.ids.board}/members/${await memberOf(on)}`);
  await setOverride(app, await memberOf(stripped), "workspace:manage", false);
});

async function statuses(operation: Operation, persona: Persona): Promise<number[]> {
  const replies = [];
  for (const api of apisOf(operation)) {
    const { input, undo } = await inputs[operation](world(), persona.who);
    replies.push((await send(world().app, api, operation, input, persona.token)).status);
    await undo?.();
  }
  return replies;
}

describe("a restricted board, and everything under it", () => {
  test.each(underBoards)(
    "%s is for those on the board and for managers alone",
    async (operation) => {
      const { app, estate } = world();
      for (const persona of [off, on]) await persona.before(operation);
      const { input } = await inputs[operation](world(), undefined);
      const before = await snapshot(app, estate.id);
      for (const persona of [off, stripped]) {
        for (const api of apis) {
          const { status, text } = await send(app, api, operation, input, persona.token);
          expect({ who: persona.name, api, status }).toEqual({
            who: persona.name,
            api,
            status: 403,
          });
          expect(text).not.toContain(estate.word);
        }
      }
      expect(await snapshot(app, estate.id)).toEqual(before);
      const admitted = apisOf(operation).map(() => 200);
      expect(await statuses(operation, on)).toEqual(admitted);
      expect(await statuses(operation, manager)).toEqual(admitted);
    },
  );

  test("refuses cards of callers who are not on it", async () => {
    const { app, estate } = world();
    await off.before("card.update");
    const input = { cardPublicId: estate.other.card, listPublicId: estate.ids.list };
    for (const api of apis) {
      const { status, text } = await send(app, api, "card.update", input, off.token);
      expect(status).toBe(404);
      expect(text).toContain("list_not_found");
    }
    await on.before("card.update");
    expect((await send(app, "REST", "card.update", input, on.token)).status).toBe(200);
  });

  test("does not show to a member's key what the member does not see", async () => {
    const { app, estate } = world();
    const make = (who: Persona) =>
      app.call({
        method: "POST",
        path: "/auth/api-keys",
        token: who.token,
        body: { name: "key", password: "a password for tests" },
      });
    const read = async (who: Persona) =>
      app.call({
        method: "GET",
        path: `/boards/${estate.ids.board}`,
        token: (await make(who)).body.key,
      });
    for (const persona of [off, on]) await persona.before("board.get");
    expect((await read(off)).status).toBe(403);
    expect((await read(on)).status).toBe(200);
  });

  test("cannot be bound to a key of a caller who cannot see it", async () => {
    const { app, estate } = world();
    for (const persona of [off, on]) await persona.before("board.get");
    const bind = (who: Persona) =>
      app.call({
        method: "POST",
        path: "/auth/api-keys",
        token: who.token,
        body: { name: "bound", boardPublicId: estate.ids.board },
      });
    expect((await bind(off)).status).toBe(403);
    expect((await bind(on)).status).toBe(200);
  });
});
