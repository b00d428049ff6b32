import { beforeAll, describe, expect, test } from "vitest";
import { tableOf } from "../../../src/kernel/access/resources.ts";
import type { Operation } from "../../../src/contract/policy.ts";
import { apisOf, few, kindOf, send, type Answered, type Api, type ChooseApis } from "./call.ts";
import { expectedStatus } from "./expected.ts";
import { setCreator, tablesWithCreator } from "./fixtures.ts";
import { inputs, type Target } from "./inputs.ts";
import { makePersonas, type Persona } from "./personas.ts";
import { snapshot } from "./snapshot.ts";
import { useWorld } from "./world.ts";

/** Which personas call an operation; the next `turn` may choose others. */
export type Choose = (personas: Persona[], operation: Operation, turn?: number) => Persona[];

/** Tests that the status of every call is the one that the policy table states. */
export function testGrid(
  operations: Operation[],
  choose: Choose = (personas) => personas,
  openApis: ChooseApis = apisOf,
) {
  const grid = useGrid(openApis);

  describe("every caller gets the status of the policy table, over REST and tRPC", () => {
    test.each(operations)("%s", async (operation) => {
      const make = inputs[operation];
      expect(make, `test/kernel/access/inputs has no ${operation}`).toBeTypeOf("function");
      const personas = choose(grid.personas(), operation);
      await Promise.all(personas.map((persona) => persona.before(operation)));
      const allowed = personas.filter((one) => expectedStatus(operation, one.membership) === 200);
      const refused = personas.filter((one) => !allowed.includes(one));
      const faults = [
        ...(await grid.refuseAll(operation, refused)),
        ...(await grid.allowAll(operation, allowed)),
      ];
      expect(faults).toEqual([]);
      expect(allowed.length, "at least one persona is allowed").toBeGreaterThan(0);
    });
  });
}

const isCreator = ({ membership }: Persona) => membership.creator === true;
const codes: Record<number, string> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND" };

function isRefusal(api: Api, { status, text }: Answered): boolean {
  const body = api === "REST" ? JSON.parse(text) : JSON.parse(text).error.data;
  return body.code === codes[status] && Array.isArray(body.issues);
}

function useGrid(openApis: ChooseApis) {
  const world = useWorld();
  let personas: Persona[];
  let tables: ReadonlySet<string>;

  beforeAll(async () => {
    personas = await makePersonas(world());
    tables = await tablesWithCreator(world().app);
  });

  /** Calls, and answers a line when the status is not the expected one. */
  async function call(
    api: Api,
    operation: Operation,
    persona: Persona,
    { input, token }: Target,
  ): Promise<string[]> {
    const expected = expectedStatus(operation, persona.membership);
    const { key, credential } = persona.membership;
    const session = key === undefined && credential === "good" ? token : undefined;
    const { app } = world();
    const caller = session ?? persona.token;
    const answered = await send(app, api, operation, input, caller, persona.headers);
    if (answered.status === expected && (expected === 200 || isRefusal(api, answered))) return [];
    const { status, text } = answered;
    return [`${persona.name} over ${api}: ${status}, not ${expected}: ${text.slice(0, 300)}`];
  }

  /** Makes a persona the creator of the target. */
  async function own(operation: Operation, { who }: Persona, { input }: Target) {
    const kind = kindOf(operation);
    if (kind === undefined || who === undefined || !tables.has(tableOf(kind).table)) return;
    const target = String(input[`${kind}PublicId`]);
    await setCreator(world().app, tableOf(kind).table, target, who.id);
  }

  /** The target of refused calls: one for all, and one of its own for each who made it. */
  async function targetsOf(operation: Operation, callers: Persona[]) {
    const make = inputs[operation];
    const shared = await make(world(), undefined);
    const targets: { persona: Persona; target: Target }[] = [];
    for (const persona of callers) {
      const target = isCreator(persona) ? await make(world(), persona.who) : shared;
      if (isCreator(persona)) await own(operation, persona, target);
      targets.push({ persona, target });
    }
    return targets;
  }

  async function refuseAll(operation: Operation, callers: Persona[]): Promise<string[]> {
    const { app, estate } = world();
    const targets = await targetsOf(operation, callers);
    const before = await snapshot(app, estate.id);
    const calls = targets.flatMap(({ persona, target }) =>
      openApis(operation).map((api) => () => call(api, operation, persona, target)),
    );
    const faults = await few(calls);
    expect(await snapshot(app, estate.id), "a refusal changes nothing").toEqual(before);
    return faults.flat();
  }

  async function allow(operation: Operation, persona: Persona, api: Api) {
    const target = await inputs[operation](world(), persona.who);
    if (isCreator(persona)) await own(operation, persona, target);
    const faults = await call(api, operation, persona, target);
    await target.undo?.();
    return { faults, isShared: target.undo !== undefined };
  }

  async function allowAll(operation: Operation, callers: Persona[]): Promise<string[]> {
    const calls = callers.flatMap((persona) =>
      openApis(operation).map((api) => () => allow(operation, persona, api)),
    );
    const [first, ...others] = calls;
    if (first === undefined) return [];
    const { faults, isShared } = await first();
    // Calls on a target that they share with others run one after the other.
    if (!isShared) return [...faults, ...(await few(others)).flatMap((one) => one.faults)];
    for (const next of others) faults.push(...(await next()).faults);
    return faults;
  }

  return { personas: () => personas, refuseAll, allowAll };
}
