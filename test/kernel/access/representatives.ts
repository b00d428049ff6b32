import type { Operation } from "../../../src/contract/policy.ts";
import { apisOf, operations, type Api } from "./call.ts";
import { expectedStatus } from "./expected.ts";
import type { Persona } from "./personas.ts";

/**
 * What decides a call: the expected status, the kind of credential, and whether the caller made the
 * target.
 */
function classOf({ membership }: Persona, operation: Operation): string {
  const { credential, key, creator = false } = membership;
  const status = expectedStatus(operation, membership);
  return [status, credential, key === undefined ? "session" : "key", creator].join();
}

/** Every pair of persona and API: ACCESS_MATRIX=full. */
const isFull = process.env["ACCESS_MATRIX"] === "full";

/** Which APIs a persona, one of those that call an operation, calls it over. */
export type ChooseApisOfPersona = (
  operation: Operation,
  persona: Persona,
  callers: Persona[],
) => readonly Api[];

/**
 * Both APIs for each equivalence class: its personas take turns, and a persona that is alone in it
 * calls over both.
 */
export const apisByClass: ChooseApisOfPersona = (operation, persona, callers) => {
  const open = apisOf(operation);
  const key = classOf(persona, operation);
  const mates = callers.filter((caller) => classOf(caller, operation) === key);
  if (isFull || mates.length === 1) return open;
  const turn = (operations.indexOf(operation) + mates.indexOf(persona)) % open.length;
  return open.slice(turn, turn + 1);
};

/** One persona of each equivalence class; all of them with ACCESS_MATRIX=full. */
export const representativesOrAll = (personas: Persona[], operation: Operation, turn = 0) =>
  isFull ? personas : representatives(personas, operation, turn);

/** One persona of each equivalence class; which one differs by operation and turn. */
export function representatives(personas: Persona[], operation: Operation, turn = 0): Persona[] {
  const classes = new Map<string, Persona[]>();
  for (const persona of personas) {
    const key = classOf(persona, operation);
    classes.set(key, [...(classes.get(key) ?? []), persona]);
  }
  const nth = operations.indexOf(operation) + turn;
  return [...classes.values()].flatMap((members) => members[nth % members.length] ?? []);
}
