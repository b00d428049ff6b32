import { z } from "zod";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { tableOf } from "../access/resources.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";

/**
 * The order in which every operation locks: children before their parents, but roles and members
 * behind the workspace.
 */
const order = [
  "checklistItem",
  "checklist",
  "comment",
  "attachment",
  "card",
  "label",
  "list",
  "board",
  "webhook",
  "workspace",
  "role",
  "member",
] as const satisfies ResourceKind[];

/** How many resources the operations of a batch name at most. */
const mostIds = 5_000;

const Ids = z.union([z.string(), z.array(z.string())]);
const field = /^(?:target)?([A-Za-z]+?)PublicIds?$/;

/** The public ids that inputs name, by kind. */
export function idsIn(inputs: Record<string, unknown>[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [name, value] of inputs.flatMap((input) => Object.entries(input))) {
    const match = field.exec(name)?.[1];
    const ids = Ids.safeParse(value);
    if (match === undefined || !ids.success) continue;
    const kind = match.charAt(0).toLowerCase() + match.slice(1);
    const known = found.get(kind) ?? new Set();
    for (const id of [ids.data].flat()) known.add(id);
    found.set(kind, known);
  }
  return found;
}

/**
 * Locks what the operations of a batch name, with all parents, before the first one runs.
 *
 * Children come before parents, and each kind in the order of ids: as every operation locks.
 */
export async function lockTargets(
  tx: UnitOfWork,
  workspaceId: bigint,
  inputs: Record<string, unknown>[],
): Promise<void> {
  const named = idsIn(inputs);
  const count = [...named.values()].reduce((sum, ids) => sum + ids.size, 0);
  if (count > mostIds) {
    const message = `The operations name ${count} ids; the limit is ${mostIds}.`;
    throw conflict("limit_exceeded", message, ["operations"]);
  }
  const parents = new Map<string, Set<bigint>>();
  for (const kind of order) {
    if (kind === "workspace") {
      if (named.has("role") || named.has("member")) await tx.lock("workspaces", [workspaceId]);
      continue;
    }
    const publicIds = [...(named.get(kind) ?? [])];
    const ids = [...(parents.get(kind) ?? [])];
    if (publicIds.length + ids.length === 0) continue;
    const { table, up } = tableOf(kind);
    const parent = up === undefined ? sql`NULL::bigint` : sql.identifier(up[1]);
    const rows = await tx.query<{ parentId: bigint | null }>(
      sql`SELECT ${parent} AS "parentId" FROM ${sql.identifier(table)}
        WHERE (id = ANY(${ids}::bigint[]) OR "publicId" = ANY(${publicIds}::text[]))
          AND "workspaceId" = ${workspaceId}
        ORDER BY id FOR NO KEY UPDATE`,
    );
    if (up === undefined || up[0] === "workspace") continue;
    const known = parents.get(up[0]) ?? new Set();
    for (const { parentId } of rows) if (parentId !== null) known.add(parentId);
    parents.set(up[0], known);
  }
}
