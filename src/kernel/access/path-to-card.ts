import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { ancestorsOf, tableOf } from "./resources.ts";

/** A kind on the path from a resource up to its card, with the column that names the next one. */
export type Step = { kind: ResourceKind; column?: Sql };

/** The path from a kind up to the card; only the kind itself for what is on no card. */
export function pathToCard(on: ResourceKind): Step[] {
  const chain = ancestorsOf(on);
  const length = chain.findIndex(({ kind }) => kind === "card") + 1;
  const path = chain
    .slice(0, length)
    .map(({ from, column }) => ({ kind: from, column: sql.identifier(column) }));
  return [...path, { kind: length === 0 ? on : "card" }];
}

/** SQL: whether a row of a step of a path is a target, or what a target is on. */
export function isStep(path: Step[], nth: number, isTarget: Sql): Sql {
  const [step, child] = [path[nth], path[nth - 1]];
  if (step === undefined || child?.column === undefined) return isTarget;
  const name = sql.identifier(child.kind);
  return sql`${sql.identifier(step.kind)}.id IN (SELECT ${name}.${child.column}
    FROM ${sql.identifier(tableOf(child.kind).table)} AS ${name}
    WHERE ${isStep(path, nth - 1, isTarget)})`;
}

/** SQL: the ids of the cards that resources of a kind are on. */
export function cardIdsOf(on: ResourceKind, isTarget: Sql): Sql {
  const path = pathToCard(on);
  return sql`SELECT card.id FROM cards AS card WHERE ${isStep(path, path.length - 1, isTarget)}`;
}
