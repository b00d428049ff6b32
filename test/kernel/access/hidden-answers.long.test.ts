import { expect, test } from "vitest";
import type { Operation } from "../../../src/contract/policy.ts";
import { operations, routeOf, send } from "./call.ts";
import { inputs } from "./inputs.ts";
import { makeHidden } from "./make-hidden.ts";
import { person, type Persona } from "./personas.ts";
import { useWorld } from "./world.ts";

const world = useWorld();

/** The operations that answer once, and change nothing. */
const reads = operations.filter((operation) => routeOf(operation).definition.type === "query");

/** The values of an answer by their paths. */
type Values = Record<string, string>;

type Read = { operation: Operation; persona: Persona; ask: () => Promise<Values> };

/** Cursors name a position in the log, which hidden events move on; they are sealed. */
const isCursor = (path: string) => /[cC]ursor$/.test(path);

function valuesOf(value: unknown, path = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value) ?? ""]];
  return Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, `${path}.${key}`));
}

/** An answer that is JSON, or a line of JSON for each part, or another text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.trim().split("\n");
    return lines.length > 1 && text.startsWith("{") ? lines.map(parsed) : text;
  }
}

async function readsOf(persona: Persona): Promise<Read[]> {
  const made: Read[] = [];
  for (const operation of reads) {
    const { input, token = persona.token } = await inputs[operation](world(), persona.who);
    const ask = async () => {
      const { status, text } = await send(world().app, "REST", operation, input, token);
      const values = valuesOf(parsed(text)).filter(([path]) => !isCursor(path));
      return { status: String(status), ...Object.fromEntries(values) };
    };
    made.push({ operation, persona, ask });
  }
  return made;
}

/** The paths at which two answers differ. */
const differences = (one: Values, other: Values) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (path) => one[path] !== other[path],
  );

test("each read answers the same before and after others fill a board that is hidden from its caller", async () => {
  const blind = (["member", "guest"] as const).map((role) =>
    person(world(), role, { credential: "good", role }),
  );
  const admin = await person(world(), "admin", { credential: "good", role: "admin" });
  const all = (await Promise.all([...(await Promise.all(blind)), admin].map(readsOf))).flat();
  const asked: (Read & { answer: Values; varying: Set<string> })[] = [];
  for (const read of all) {
    const [first, answer] = [await read.ask(), await read.ask()];
    // Signed addresses and times of now differ in any two answers.
    asked.push({ ...read, answer, varying: new Set(differences(first, answer)) });
  }
  await makeHidden(world().estate);
  await makeHidden(world().estate);
  const changed: string[] = [];
  for (const { operation, persona, ask, answer, varying } of asked) {
    const after = await ask();
    for (const path of differences(answer, after).filter((one) => !varying.has(one)))
      changed.push(`${persona.name} ${operation} ${path}: ${answer[path]} -> ${after[path]}`);
  }
  expect(changed.filter((one) => !one.startsWith("admin "))).toEqual([]);
  // Who may see the board sees it in each kind of listing.
  const seen = new Set(changed.map((one) => one.split(" ")[1]));
  expect([...seen]).toEqual(expect.arrayContaining(["board.list", "workspace.events"]));
  expect(asked.filter(({ answer }) => answer["status"] === "200").length).toBeGreaterThan(100);
});
