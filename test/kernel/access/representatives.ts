import type { Operation } from "../../../src/contract/policy.ts";
import { operations } from "./call.ts";
import { expectedStatus } from "./expected.ts";
import type { Actor } from "./actors.ts";

/**
 * What decides a call: the expected status, the kind of credential, and whether the caller made the
 * target.
 */
function classOf({ membership }: Actor, operation: Operation): string {
  const { credential, key, creator = false } = membership;
  const status = expectedStatus(operation, membership);
  return [status, credential, key === undefined ? "session" : "key", creator].join();
}

/** One actor of each equivalence class; which one differs by operation and turn. */
export function representatives(actors: Actor[], operation: Operation, turn = 0): Actor[] {
  const classes = new Map<string, Actor[]>();
  for (const actor of actors) {
    const key = classOf(actor, operation);
    classes.set(key, [...(classes.get(key) ?? []), actor]);
  }
  const nth = operations.indexOf(operation) + turn;
  return [...classes.values()].flatMap((members) => members[nth % members.length] ?? []);
}
