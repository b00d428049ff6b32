import { beforeAll, describe, expect, test } from "vitest";
import { tableOf } from "../../../src/kernel/access/resources.ts";
import type { Operation } from "../../../src/contract/policy.ts";
import { facesOf, few, kindOf, operations, send, type Answered, type Face } from "./call.ts";
import { expectedStatus } from "./expected.ts";
import { inputs, type Target } from "./inputs.ts";
import { makePersonas, type Persona } from "./personas.ts";
import { snapshot } from "./snapshot.ts";
import { useWorld } from "./world.ts";

const world = useWorld();
let personas: Persona[];
const creators = new Map<string, boolean>();

beforeAll(async () => {
  personas = await makePersonas(world());
  const { app } = world();
  const columns = await app.db.read<{ table: string }>(
    `SELECT table_name AS "table" FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'createdById'`,
    [],
  );
  for (const { table } of columns) creators.set(table, true);
});

/** Calls, and answers a line when the status is not what the table says. */
async function probe(
  face: Face,
  operation: Operation,
  persona: Persona,
  { input, token }: Target,
): Promise<string[]> {
  const wanted = expectedStatus(operation, persona.membership);
  const session = persona.membership.key === undefined && persona.membership.credential === "good";
  const answered = await send(
    world().app,
    face,
    operation,
    input,
    (session ? token : undefined) ?? persona.token,
    persona.headers,
  );
  const told = answered.status === wanted && (wanted === 200 || isRefusal(face, answered));
  return told
    ? []
    : [
        `${persona.name} over ${face}: ${answered.status} in place of ${wanted}: ${answered.text.slice(0, 300)}`,
      ];
}

const codes: Record<number, string> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN" };

function isRefusal(face: Face, { status, text }: Answered): boolean {
  const body = face === "REST" ? JSON.parse(text) : JSON.parse(text).error.data;
  return body.code === codes[status] && Array.isArray(body.issues);
}

/** Makes whoever calls the creator of what they call about. */
async function own(operation: Operation, persona: Persona, { input }: Target) {
  const kind = kindOf(operation);
  if (kind === undefined || persona.who === undefined || !creators.has(tableOf(kind).table)) return;
  await world().app.db.write(
    `UPDATE ${tableOf(kind).table} SET "createdById" = $1 WHERE "publicId" = $2`,
    [persona.who.id, String(input[`${kind}PublicId`])],
  );
}

async function refuse(operation: Operation, callers: Persona[], target: Target): Promise<string[]> {
  const { app, estate } = world();
  const before = await snapshot(app, estate.id);
  const faults = await few(
    callers.flatMap((persona) =>
      facesOf(operation).map((face) => () => probe(face, operation, persona, target)),
    ),
  );
  expect(await snapshot(app, estate.id), "a refusal must change nothing").toEqual(before);
  return faults.flat();
}

async function admit(operation: Operation, persona: Persona, face: Face): Promise<string[]> {
  const target = await inputs[operation](world(), persona.who);
  if (persona.membership.creator === true) await own(operation, persona, target);
  const faults = await probe(face, operation, persona, target);
  await target.undo?.();
  return faults;
}

describe("whoever calls gets what the policy table says, over REST and tRPC", () => {
  test.each(operations)("%s", async (operation) => {
    const make = inputs[operation];
    expect(make, `${operation} has no input in test/access/inputs.ts`).toBeTypeOf("function");
    await Promise.all(personas.map((persona) => persona.before(operation)));
    const admitted = personas.filter((one) => expectedStatus(operation, one.membership) === 200);
    const refused = personas.filter((one) => !admitted.includes(one));

    const target = await make(world(), undefined);
    const faults = await refuse(
      operation,
      refused.filter((one) => one.membership.creator !== true),
      target,
    );
    for (const persona of refused.filter((one) => one.membership.creator === true)) {
      const theirs = await make(world(), persona.who);
      await own(operation, persona, theirs);
      faults.push(...(await refuse(operation, [persona], theirs)));
    }

    const calls = admitted.flatMap((persona) =>
      facesOf(operation).map((face) => () => admit(operation, persona, face)),
    );
    if (target.undo === undefined) faults.push(...(await few(calls)).flat());
    else for (const call of calls) faults.push(...(await call()));
    expect(faults).toEqual([]);
    expect(admitted.length, "somebody must be let in").toBeGreaterThan(0);
  });
});
