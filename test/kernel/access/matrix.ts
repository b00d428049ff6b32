import { beforeAll, describe, expect, test } from "vitest";
import { tableOf } from "../../../src/kernel/access/resources.ts";
import type { Operation } from "../../../src/contract/policy.ts";
import { apisOf, few, kindOf, send, type Answered, type Api, type ChooseApis } from "./call.ts";
import { expectedStatus } from "./expected.ts";
import { setCreator, tablesWithCreator } from "./rows.ts";
import { inputs, type Target } from "./inputs.ts";
import { makeActors, type Actor } from "./actors.ts";
import { snapshot } from "./snapshot.ts";
import { useWorld } from "./world.ts";

/** Which actors call an operation; the next `turn` may choose others. */
export type Choose = (actors: Actor[], operation: Operation, turn?: number) => Actor[];

/** Tests that the status of every call is the one that the policy table states. */
export function testGrid(
  operations: Operation[],
  choose: Choose = (actors) => actors,
  openApis: ChooseApis = apisOf,
) {
  const grid = useGrid(openApis);

  describe("every caller gets the status of the policy table, over REST and tRPC", () => {
    test.each(operations)("%s", async (operation) => {
      const make = inputs[operation];
      expect(make, `test/kernel/access/inputs has no ${operation}`).toBeTypeOf("function");
      const actors = choose(grid.actors(), operation);
      await Promise.all(actors.map((actor) => actor.before(operation)));
      const allowed = actors.filter((one) => expectedStatus(operation, one.membership) === 200);
      const refused = actors.filter((one) => !allowed.includes(one));
      const faults = [
        ...(await grid.refuseAll(operation, refused)),
        ...(await grid.allowAll(operation, allowed)),
      ];
      expect(faults).toEqual([]);
      expect(allowed.length, "at least one actor is allowed").toBeGreaterThan(0);
    });
  });
}

const isCreator = ({ membership }: Actor) => membership.creator === true;
const codes: Record<number, string> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND" };

function isRefusal(api: Api, { status, text }: Answered): boolean {
  const body = api === "REST" ? JSON.parse(text) : JSON.parse(text).error.data;
  return body.code === codes[status] && Array.isArray(body.issues);
}

function useGrid(openApis: ChooseApis) {
  const world = useWorld();
  let actors: Actor[];
  let tables: ReadonlySet<string>;

  beforeAll(async () => {
    actors = await makeActors(world());
    tables = await tablesWithCreator(world().app);
  });

  /** Calls, and answers a line when the status is not the expected one. */
  async function call(
    api: Api,
    operation: Operation,
    actor: Actor,
    { input, token }: Target,
  ): Promise<string[]> {
    const expected = expectedStatus(operation, actor.membership);
    const { key, credential } = actor.membership;
    const session = key === undefined && credential === "good" ? token : undefined;
    const { app } = world();
    const caller = session ?? actor.token;
    const answered = await send(app, api, operation, input, caller, actor.headers);
    const { text } = answered;
    // A browser that is sent on was served.
    const status = answered.status === 303 ? 200 : answered.status;
    if (status === expected && (expected === 200 || isRefusal(api, answered))) return [];
    return [`${actor.name} over ${api}: ${status}, not ${expected}: ${text.slice(0, 300)}`];
  }

  /** Makes an actor the creator of the target. */
  async function own(operation: Operation, { who }: Actor, { input }: Target) {
    const kind = kindOf(operation);
    if (kind === undefined || who === undefined || !tables.has(tableOf(kind).table)) return;
    const target = String(input[`${kind}PublicId`]);
    await setCreator(world().app, tableOf(kind).table, target, who.id);
  }

  /** The target of refused calls: one for all, and one of its own for each who made it. */
  async function targetsOf(operation: Operation, callers: Actor[]) {
    const make = inputs[operation];
    const shared = await make(world(), undefined);
    const targets: { actor: Actor; target: Target }[] = [];
    for (const actor of callers) {
      const target = isCreator(actor) ? await make(world(), actor.who) : shared;
      if (isCreator(actor)) await own(operation, actor, target);
      targets.push({ actor, target });
    }
    return targets;
  }

  async function refuseAll(operation: Operation, callers: Actor[]): Promise<string[]> {
    const { app, fixtures } = world();
    const targets = await targetsOf(operation, callers);
    const before = await snapshot(app, fixtures.id);
    const calls = targets.flatMap(({ actor, target }) =>
      openApis(operation).map((api) => () => call(api, operation, actor, target)),
    );
    const faults = await few(calls);
    expect(await snapshot(app, fixtures.id), "a refusal changes nothing").toEqual(before);
    return faults.flat();
  }

  async function allow(operation: Operation, actor: Actor, api: Api) {
    const target = await inputs[operation](world(), actor.who);
    if (isCreator(actor)) await own(operation, actor, target);
    const faults = await call(api, operation, actor, target);
    await target.undo?.();
    return { faults, isShared: target.undo !== undefined };
  }

  async function allowAll(operation: Operation, callers: Actor[]): Promise<string[]> {
    const calls = callers.flatMap((actor) =>
      openApis(operation).map((api) => () => allow(operation, actor, api)),
    );
    const [first, ...others] = calls;
    if (first === undefined) return [];
    const { faults, isShared } = await first();
    // Calls on a target that they share with others run one after the other.
    if (!isShared) return [...faults, ...(await few(others)).flatMap((one) => one.faults)];
    for (const next of others) faults.push(...(await next()).faults);
    return faults;
  }

  return { actors: () => actors, refuseAll, allowAll };
}
