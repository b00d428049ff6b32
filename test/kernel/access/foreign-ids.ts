import { beforeAll, describe, expect, test } from "vitest";
import { ignoresQuery } from "../../../src/contract/interface.ts";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { apisOf, few, routeOf, send, type Api, type ChooseApis, type Input } from "./call.ts";
import { makeFixtures, type Fixtures } from "./fixtures.ts";
import { expectedStatus, type CallerState } from "./expected.ts";
import { choices, fitting, withIdsOf } from "./foreign.ts";
import type { Choose } from "./matrix.ts";
import { inputs } from "./inputs.ts";
import { makeActors, type Actor } from "./actors.ts";
import { snapshot, tablesWithText } from "./snapshot.ts";
import { useWorld } from "./world.ts";

const canary = "Kanarienvogel";

/**
 * Tests that ids of another tenant reveal nothing and change nothing; `atLeast` is the number of
 * calls.
 */
export function testForeignIds(
  operations: Operation[],
  {
    choose = (actors) => actors,
    openApis = apisOf,
    atLeast,
  }: { choose?: Choose; openApis?: ChooseApis; atLeast: number },
) {
  const world = useWorld();
  let foreign: Fixtures;
  let all: Actor[];
  let calls = 0;

  beforeAll(async () => {
    const { app, receiver } = world();
    foreign = await makeFixtures(app, receiver.url, canary);
    all = await makeActors(world());
  });

  /** Calls with ids of the other tenant; answers what is wrong with the answer. */
  async function call(
    api: Api,
    operation: Operation,
    actor: Actor,
    fields: string[],
    input: Input,
  ): Promise<string[]> {
    calls++;
    const { token, headers } = actor;
    const { status, text } = await send(world().app, api, operation, input, token, headers);
    // Over REST, these operations ignore parameters that they do not know.
    const { shape } = routeOf(operation).schema;
    const isIgnored =
      api === "REST" && ignoresQuery(operation) && !fields.some((field) => field in shape);
    const isAllowed =
      allowed(operation, actor, fields).includes(status) || (isIgnored && status === 200);
    const where = `${actor.name} with foreign ${fields.join()} over ${api}`;
    return [
      ...(isAllowed ? [] : [`${where}: ${status} ${text.slice(0, 200)}`]),
      ...(text.includes(canary) ? [`${where} reads ${text.slice(0, 500)}`] : []),
    ];
  }

  describe("ids of another tenant, in any field and from any caller, reveal and change nothing", () => {
    test.each(operations)("%s", async (operation) => {
      const { app, fixtures } = world();
      await Promise.all(all.map((actor) => actor.before(operation)));
      const { input, undo } = await inputs[operation](world(), fixtures.admin);
      const before = [await snapshot(app, foreign.id), await snapshot(app, fixtures.id)];
      const faults = await few(
        choices(operation, input).flatMap((fields, turn) => {
          const actors = choose(
            all.filter(({ membership }) => !mayHaveAny(operation, membership)),
            operation,
            turn,
          );
          return actors.flatMap((actor) =>
            openApis(operation).map(
              (api) => () => call(api, operation, actor, fields, withIdsOf(input, fields, foreign)),
            ),
          );
        }),
      );
      expect(faults.flat()).toEqual([]);
      expect([await snapshot(app, foreign.id), await snapshot(app, fixtures.id)]).toEqual(before);
      await undo?.();
    });

    test("no event, delivery, notification, export or log of the first tenant has its texts", async () => {
      const { app, fixtures } = world();
      const { status, text } = await send(
        app,
        "REST",
        "workspace.export",
        { workspacePublicId: fixtures.ids.workspace },
        fixtures.admin.token,
      );
      expect(status).toBe(200);
      expect(text).not.toContain(canary);
      expect(await tablesWithText(app, fixtures.id, canary)).toEqual([]);
      expect(app.errors.join("\n")).not.toContain(canary);
    });

    test(`makes at least ${atLeast} calls`, () => {
      expect(calls).toBeGreaterThanOrEqual(atLeast);
    });
  });
}

/** Whether no id is foreign to a caller: an operator may have those of all tenants. */
const mayHaveAny = (operation: Operation, { operator }: CallerState) =>
  ruleOf(operation).on === "operator" && operator === true;

/** The statuses that a caller may get for an id of another tenant. */
function allowed(operation: Operation, { membership }: Actor, fields: string[]): number[] {
  const { on } = ruleOf(operation);
  if (on === "public") return fitting(operation, fields);
  if (on === "operator") return [expectedStatus(operation, membership)];
  return membership.credential === "good" ? fitting(operation, fields) : [401];
}
