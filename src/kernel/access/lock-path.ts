import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { ancestorsOf, tableOf } from "./resources.ts";

/** A kind on the path from a resource to what is locked before it; `column` names the next one. */
export type LockStep = { kind: ResourceKind; column?: Sql };

/** The parents that are locked before a kind: access depends on roles and members. */
const lockedBefore = (on: ResourceKind): ResourceKind =>
  on === "role" || on === "member" ? "workspace" : "card";

/**
 * The path from a kind up to what is locked first: the card of what is on a card, the workspace of
 * roles and members. Only the kind itself for the others.
 */
export function lockPath(on: ResourceKind): LockStep[] {
  const chain = ancestorsOf(on);
  const first = lockedBefore(on);
  const length = chain.findIndex(({ kind }) => kind === first) + 1;
  const path = chain
    .slice(0, length)
    .map(({ from, column }) => ({ kind: from, column: sql.identifier(column) }));
  return [...path, { kind: length === 0 ? on : first }];
}

/** SQL: whether a row of a step is a target, or the parent of one. */
export function isStep(path: LockStep[], nth: number, isTarget: Sql): Sql {
  const child = path[nth - 1];
  if (child?.column === undefined) return isTarget;
  const name = sql.identifier(child.kind);
  return sql`id = ANY (ARRAY(SELECT ${name}.${child.column}
    FROM ${sql.identifier(tableOf(child.kind).table)} AS ${name}
    WHERE ${isStep(path, nth - 1, isTarget)}))`;
}
