import { beforeAll, describe, expect, test } from "vitest";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { facesOf, few, operations, send, type Face, type Input } from "./call.ts";
import { makeEstate, type Estate } from "./estate.ts";
import { choices, fitting, withIdsOf } from "./foreign.ts";
import { inputs } from "./inputs.ts";
import { makePersonas, type Persona } from "./personas.ts";
import { snapshot } from "./snapshot.ts";
import { useWorld } from "./world.ts";

const canary = "Kanarienvogel";
const world = useWorld();
let theirs: Estate;
let personas: Persona[];
let probes = 0;

beforeAll(async () => {
  const { app, receiver } = world();
  theirs = await makeEstate(app, receiver.url, canary);
  personas = await makePersonas(world());
});

/** What a caller may be told who names something of another tenant. */
function allowed(operation: Operation, { membership }: Persona, fields: string[]): number[] {
  const { on } = ruleOf(operation);
  if (on === "public") return fitting(operation, fields);
  if (on === "operator") return membership.operator ? [400] : [401];
  return membership.credential === "good" ? fitting(operation, fields) : [401];
}

/** Calls with ids of the other tenant; answers what is wrong with the answer. */
async function probe(
  face: Face,
  operation: Operation,
  persona: Persona,
  fields: string[],
  input: Input,
): Promise<string[]> {
  probes++;
  const { app } = world();
  const { token, headers } = persona;
  const { status, text } = await send(app, face, operation, input, token, headers);
  const where = `${persona.name} with their ${fields.join()} over ${face}`;
  return [
    ...(allowed(operation, persona, fields).includes(status)
      ? []
      : [`${where}: ${status} ${text.slice(0, 200)}`]),
    ...(text.includes(canary) ? [`${where} is told ${text.slice(0, 500)}`] : []),
  ];
}

describe("ids of another tenant, in whichever field and from whomever, open nothing, tell nothing and change nothing", () => {
  test.each(operations)("%s", async (operation) => {
    const { app, estate } = world();
    await Promise.all(personas.map((persona) => persona.before(operation)));
    const { input, undo } = await inputs[operation](world(), estate.admin);
    const before = [await snapshot(app, theirs.id), await snapshot(app, estate.id)];
    const faults = await few(
      choices(operation, input).flatMap((fields) =>
        personas.flatMap((persona) =>
          facesOf(operation).map(
            (face) => () =>
              probe(face, operation, persona, fields, withIdsOf(input, fields, theirs)),
          ),
        ),
      ),
    );
    expect(faults.flat()).toEqual([]);
    expect([await snapshot(app, theirs.id), await snapshot(app, estate.id)]).toEqual(before);
    await undo?.();
  });

  test("has been tried at least 5,000 times", () => {
    expect(probes).toBeGreaterThanOrEqual(5_000);
  });
});
