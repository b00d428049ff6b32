import { beforeAll, describe, expect, test } from "vitest";
import { apisOf, idFields, operations, send, writes } from "./call.ts";
import { makeFixtures, makeUser, putMember, type Fixtures } from "./fixtures.ts";
import { excludeEachOther, isAnchor, withIdsOf } from "./foreign.ts";
import { inputs } from "./inputs.ts";
import { session } from "./targets.ts";
import { snapshot, strayReferences } from "./snapshot.ts";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { adminKey, useWorld } from "./world.ts";

const canary = "Kanarienvogel";
const world = useWorld();
let theirs: Fixtures;
/** An admin of both workspaces. */
let both: Awaited<ReturnType<typeof makeUser>>;

beforeAll(async () => {
  const { app, receiver, fixtures } = world();
  theirs = await makeFixtures(app, receiver.url, canary);
  both = await makeUser(app, "Both");
  for (const one of [fixtures, theirs]) await putMember(one, both, "admin");
});

describe("the responses of one tenant show nothing of the other", () => {
  test.each(operations.filter((operation) => !writes(operation)))("%s", async (operation) => {
    const { app, fixtures } = world();
    const { input, token } = await inputs[operation](world(), fixtures.admin);
    for (const api of apisOf(operation)) {
      const caller = token ?? fixtures.admin.token;
      // An operator sees all tenants. For an account of one, the operation does not exist.
      const rule = ruleOf(operation);
      const isHidden = rule.on === "operator" && rule.announced !== true;
      const headers = isHidden ? {} : { "X-Admin-Key": adminKey };
      const { status, text } = await send(app, api, operation, input, caller, headers);
      expect({ api, status }).toEqual({ api, status: isHidden ? 404 : 200 });
      expect(text).not.toContain(canary);
      for (const id of Object.values(theirs.ids)) expect(text).not.toContain(id);
    }
  });
});

describe("ids that do not belong together find nothing, not even for an admin of both workspaces", () => {
  // An admin of two workspaces may move a board from one to the other.
  const nested = operations.filter(
    (operation) => idFields(operation).length > 1 && operation !== "board.move",
  );

  test.each(nested)("%s", async (operation) => {
    const { app, fixtures } = world();
    const { input } = await inputs[operation](world(), both);
    const before = [await snapshot(app, fixtures.id), await snapshot(app, theirs.id)];
    const faults: string[] = [];
    for (const [foreign, own] of pairs(operation)) {
      const ours = Object.hasOwn(input, own) ? input : withIdsOf(input, [own], fixtures);
      for (const api of apisOf(operation)) {
        const { status, text } = await send(
          app,
          api,
          operation,
          withIdsOf(ours, [foreign], theirs),
          both.token,
        );
        if (!fittingPair(foreign, own).includes(status))
          faults.push(`${foreign} with our ${own} over ${api}: ${status} ${text.slice(0, 200)}`);
      }
    }
    expect(faults).toEqual([]);
    expect([await snapshot(app, fixtures.id), await snapshot(app, theirs.id)]).toEqual(before);
  });
});

/** The statuses for a foreign id beside one of ours. A set and its changes are no valid input. */
function fittingPair(foreign: string, own: string): number[] {
  if (excludeEachOther(foreign, own)) return [400];
  return [foreign, own].some(isAnchor) ? [404, 409] : [404];
}

/** Every two id fields of an input, in both orders; of two neighbours only one may be named. */
function pairs(operation: Operation): [string, string][] {
  const fields = idFields(operation);
  return fields.flatMap((one) =>
    fields
      .filter((other) => other !== one && !(isAnchor(one) && isAnchor(other)))
      .map((other): [string, string] => [one, other]),
  );
}

describe("within one workspace", () => {
  test("a label of another board cannot be added to a card or a new card", async () => {
    const { fixtures } = world();
    const { rest } = fixtures.admin;
    const toggled = await rest.put(`/cards/${fixtures.ids.card}/labels/${fixtures.other.label}`);
    expect(toggled).toMatchObject({ status: 404, body: { issues: [{ code: "label_not_found" }] } });
    const made = await rest.post("/cards", {
      title: "No",
      listPublicId: fixtures.ids.list,
      labelPublicIds: [fixtures.ids.label, fixtures.other.label],
    });
    expect(made).toMatchObject({ status: 404, body: { issues: [{ code: "label_not_found" }] } });
  });

  test("a card of another list is no neighbour", async () => {
    const { fixtures } = world();
    const { status } = await fixtures.admin.rest.put(`/cards/${fixtures.ids.card}`, {
      beforeCardPublicId: fixtures.other.card,
    });
    expect(status).toBe(409);
  });

  test("the session and the key of another user are 404", async () => {
    const { app, fixtures } = world();
    const made = await session(world(), theirs.admin);
    expect((await fixtures.admin.rest.delete(`/auth/sessions/${made.publicId}`)).status).toBe(404);
    expect((await fixtures.admin.rest.delete(`/auth/api-keys/${theirs.ids.apiKey}`)).status).toBe(
      404,
    );
    expect((await app.call({ method: "GET", path: "/users/me", token: made.token })).status).toBe(
      200,
    );
    expect(
      (await app.call({ method: "GET", path: "/users/me", token: theirs.apiKey })).status,
    ).toBe(200);
  });
});

test("no row of a workspace points at a row of another", async () => {
  expect(await strayReferences(world().app)).toEqual([]);
});
