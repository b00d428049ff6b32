import type { Operation } from "../../../src/contract/policy.ts";
import { operations } from "./call.ts";
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
