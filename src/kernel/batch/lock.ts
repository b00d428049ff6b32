import { z } from "zod";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { idFieldOf, isOperation, ruleOf, type Rule } from "../../contract/policy.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { isStep, lockPath } from "../access/lock-path.ts";
import { tableOf } from "../access/resources.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { getOrInsert } from "../../platform/maps.ts";

/**
 * The order in which every transaction locks. The rows of each kind are locked in the order of ids.
 *
 * The card comes before what is on it: whatever changes something on a card locks the card first.
 * From the card upwards, children come before their parents; but roles and members, which access
 * depends on, come after their workspace.
 */
export const lockOrder = [
  "card",
  "checklist",
  "checklistItem",
  "comment",
  "attachment",
  "label",
  "field",
  "view",
  "list",
  "board",
  "webhook",
  "workspace",
  "role",
  "member",
] as const satisfies ResourceKind[];

/** The rows of a kind that an operation locks below its target. */
type Descendants = {
  kind: ResourceKind;
  target: ResourceKind;
  operations: string[];
  rows: (publicIds: string[]) => Sql;
};

const idsOf = (table: string, publicIds: string[]) =>
  sql`ARRAY(SELECT id FROM ${sql.identifier(table)} WHERE "publicId" = ANY(${publicIds}::text[]))`;

/** Which operations lock rows below their targets. */
const locksBelow: Descendants[] = [
  {
    kind: "card",
    target: "list",
    operations: ["list.sort", "list.moveCards"],
    rows: (lists) => sql`"listId" = ANY(${idsOf("lists", lists)})
      AND "deletedAt" IS NULL AND "archivedAt" IS NULL`,
  },
  {
    kind: "card",
    target: "list",
    operations: ["list.move"],
    rows: (lists) => sql`"listId" = ANY(${idsOf("lists", lists)})`,
  },
  {
    kind: "card",
    target: "member",
    operations: ["member.remove"],
    rows: (members) => sql`id = ANY(ARRAY(SELECT "cardId" FROM card_members
      WHERE "memberId" = ANY(${idsOf("members", members)}))) OR "claimedById" IS NOT NULL
        AND "claimedById" = ANY(${idsOf("members", members)})`,
  },
  {
    kind: "member",
    target: "role",
    operations: ["role.delete", "role.grant", "role.revoke"],
    rows: (roles) => sql`"roleId" = ANY(${idsOf("roles", roles)})`,
  },
];

/** The maximum number of resources that a batch names. */
const maxIds = 5_000;

/** An id in an input: as such, or that of a relation. */
const Id = z.union([
  z.string(),
  z.object({ relatedCardPublicId: z.string() }).transform((named) => named.relatedCardPublicId),
]);
const Ids = z.union([Id, z.array(Id)]);

/** An operation of a batch with its input. */
export type BatchCall = { operation: string; input: Record<string, unknown> };

/** The public ids of what operations lock, by kind: their targets, and what else they name. */
function idsIn(calls: BatchCall[]): Map<string, Set<string>> {
  const idsByKind = new Map<string, Set<string>>();
  for (const { operation, input } of calls) {
    for (const [kind, fields] of isOperation(operation) ? namesIn(ruleOf(operation)) : []) {
      const idsOfKind = getOrInsert(idsByKind, kind, () => new Set());
      for (const field of fields) {
        const ids = Ids.safeParse(input[field]).data ?? [];
        for (const id of [ids].flat()) idsOfKind.add(id);
      }
    }
  }
  return idsByKind;
}

/** The input fields of an operation with ids of what it locks, by kind. */
const namesIn = (rule: Rule): [string, readonly string[]][] =>
  "needs" in rule ? [[rule.on, [idFieldOf(rule)]], ...Object.entries(rule.names ?? {})] : [];

/**
 * Locks what the operations of a batch name, with all parents, before the first one runs.
 *
 * What is on a card is not locked: it changes only under the lock of its card.
 */
export async function lockTargets(
  tx: UnitOfWork,
  workspaceId: bigint,
  calls: BatchCall[],
): Promise<void> {
  const idsByKind = idsIn(calls);
  const count = [...idsByKind.values()].reduce((sum, ids) => sum + ids.size, 0);
  if (count > maxIds) {
    const message = `The operations name ${count} ids; the limit is ${maxIds}.`;
    throw conflict("limit_exceeded", message, ["operations"]);
  }
  const parents = new Map<string, Set<bigint>>();
  for (const kind of lockOrder) {
    if (isOnCard(kind)) continue;
    if (kind === "workspace") {
      if (idsByKind.has("role") || idsByKind.has("member"))
        await tx.lock("workspaces", [workspaceId]);
      continue;
    }
    const ids = [...(parents.get(kind) ?? [])];
    const { table, up } = tableOf(kind);
    const conditions = [
      ...(ids.length === 0 ? [] : [sql`id = ANY(${ids}::bigint[])`]),
      ...isNamed(idsByKind.get(kind)),
      ...(kind === "card" ? isUnderNamed(idsByKind) : []),
      ...isBelowTarget(kind, calls),
    ];
    if (conditions.length === 0) continue;
    const parent = up === undefined ? sql`NULL::bigint` : sql.identifier(up[1]);
    const rows = await tx.query<{ parentId: bigint | null }>(
      sql`SELECT ${parent} AS "parentId" FROM ${sql.identifier(table)}
        WHERE (${sql.join(conditions, sql` OR `)}) AND "workspaceId" = ${workspaceId}
        ORDER BY id FOR NO KEY UPDATE`,
    );
    if (up === undefined || up[0] === "workspace") continue;
    const parentIds = getOrInsert(parents, up[0], () => new Set());
    for (const { parentId } of rows) if (parentId !== null) parentIds.add(parentId);
  }
  // A board may have moved here since, with rows that are not locked. Waiting for those may break
  // the order of locks, so the wait is short: the transaction then runs again.
  void tx.query(sql`SELECT set_config('lock_timeout', '250ms', true)`);
}

const isOnCard = (kind: ResourceKind) => lockPath(kind).slice(1).at(-1)?.kind === "card";

/** SQL: whether a row has one of the ids; empty without ids. */
const isNamed = (publicIds: Set<string> | undefined): Sql[] =>
  publicIds === undefined || publicIds.size === 0
    ? []
    : [sql`"publicId" = ANY(${[...publicIds]}::text[])`];

/** SQL: whether a card has something that the operations name. */
const isUnderNamed = (idsByKind: Map<string, Set<string>>): Sql[] =>
  lockOrder.filter(isOnCard).flatMap((kind) => {
    const publicIds = [...(idsByKind.get(kind) ?? [])];
    if (publicIds.length === 0) return [];
    const path = lockPath(kind);
    return [isStep(path, path.length - 1, sql`"publicId" = ANY(${publicIds}::text[])`)];
  });

/** SQL: whether a row is below the target of an operation that locks such rows. */
const isBelowTarget = (kind: ResourceKind, calls: BatchCall[]): Sql[] =>
  locksBelow.flatMap(({ target, operations, rows, ...below }) => {
    const publicIds = calls
      .filter(({ operation }) => below.kind === kind && operations.includes(operation))
      .map(({ input }) => String(input[`${target}PublicId`]));
    return publicIds.length === 0 ? [] : [sql`(${rows(publicIds)})`];
  });
