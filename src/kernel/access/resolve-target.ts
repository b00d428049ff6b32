import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { isWorkspaceSlug } from "../../contract/vocabulary/texts.ts";
import type { Credential } from "./credential.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { callerOf, callersWith, callerWith, type Caller } from "./callers.ts";
import { columnGroups, type Group } from "./column-groups.ts";
import { isStep, lockPath, type LockStep } from "./lock-path.ts";
import { ancestorsOf, ancestorColumns, tableOf, targetColumns, type Uses } from "./resources.ts";
import { isVisibleTo } from "./visibility.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** The caller's active membership in the target's workspace, as the database has it. */
export type MembershipRow = {
  id: bigint;
  publicId: string;
  roleId: bigint;
  role: string;
  level: number;
  /** The permissions of the role, separated by commas. Equal texts are parsed once. */
  rolePermissions: string;
  /** `+permission` or `-permission`. */
  overrides: string[];
  /** Whether the workspace requires a second factor. */
  requiresFactor: boolean;
  /** Whether the board is visible without `workspace:manage`. */
  seesBoard: boolean;
};

/** A target with its ancestors, the caller, and the caller's membership. */
export type Target = {
  resources: Record<string, Group>;
  caller: Caller;
  membership: MembershipRow | null;
  /** The extra row, where there is one. */
  extra?: Group | undefined;
};

/** What an operation acts on: `id` is a public id, or a slug in any case. */
export type TargetId = {
  on: ResourceKind;
  id: string;
  workspaceId?: bigint | undefined;
  bySlug?: boolean;
  within?: { kind: ResourceKind; id: string } | undefined;
  lock: boolean;
  /** Fails instead of waiting for the lock, because later locks may be held already. */
  nowait?: boolean;
  /** Whose columns are read, and whether a deleted resource is found too, or one with a deleted ancestor. */
  rule?: { uses?: Uses; evenDeleted?: boolean };
  /** A query that reads one more row in the same snapshot; its columns are named `extra.…`. */
  extra?: Sql | undefined;
};

const membershipColumns = (seesBoard: Sql, workspace = sql`workspace`) =>
  sql`mine.id AS "mine.id", mine."publicId" AS "mine.publicId", mine."roleId" AS "mine.roleId",
  "myRole".name AS "mine.role", "myRole"."hierarchyLevel" AS "mine.level",
  array_to_string("myRole".permissions, ',') AS "mine.rolePermissions",
  ARRAY(SELECT CASE WHEN o.granted THEN '+' ELSE '-' END || o.permission
    FROM member_overrides o WHERE o."memberId" = mine.id) AS "mine.overrides",
  ${workspace}."requiresSecondFactor" AS "mine.requiresFactor",
  ${seesBoard} AS "mine.seesBoard"`;

const membershipJoin = (workspaceId: Sql) =>
  sql`LEFT JOIN members mine ON mine."workspaceId" = ${workspaceId}
    AND mine."userId" = caller."caller.userId" AND mine.status = 'active'
  LEFT JOIN roles "myRole" ON "myRole".id = mine."roleId"`;

const membership = membershipColumns(isVisibleTo(sql`mine.id`, sql`false`, sql`board`));
const membershipWithoutBoard = membershipColumns(sql`true`);
const membershipOfRow = membershipColumns(sql`true`, sql`w`);
/** The membership for a kind that may belong to a board: it must be visible. */
const membershipOfShared = (name: Sql) =>
  membershipColumns(sql`(${name}."boardId" IS NULL OR EXISTS (SELECT FROM boards board
    WHERE board.id = ${name}."boardId" AND ${isVisibleTo(sql`mine.id`, sql`false`, sql`board`)}))`);
/** SQL: whether a private resource is the caller's own, and its board is not deleted. */
const isShown = (name: Sql) => sql`WHERE (${name}."ownerId" IS NULL OR ${name}."ownerId" = mine.id)
  AND NOT EXISTS (SELECT FROM boards board
    WHERE board.id = ${name}."boardId" AND board."deletedAt" IS NOT NULL)`;
const table = (kind: ResourceKind) => sql.identifier(tableOf(kind).table);

/** SQL: the slug of a row as slugs are compared. They are ASCII: no locale decides what is equal. */
export const comparedSlug = (name: Sql): Sql => sql`lower(${name}.slug COLLATE "C")`;

/** SQL: whether a row has a slug, in any case. */
export const hasSlug = (name: Sql, slug: string): Sql =>
  sql`${comparedSlug(name)} = ${slug.toLowerCase()}`;

/** SQL: whether a row has an id. A workspace can also be named by its slug. */
export const hasId = (kind: ResourceKind, name: Sql, id: string) =>
  kind === "workspace" && isWorkspaceSlug(id) ? hasSlug(name, id) : sql`${name}."publicId" = ${id}`;

// OFFSET 0 makes PostgreSQL find the target by its id, and go up from it. Without statistics, as in a
// new database, it may read every live row or board, and look for the caller of each.
function statement(credential: Credential, now: Date, target: TargetId): Sql {
  const { on, id, workspaceId, bySlug, within, lock, nowait, rule = whole, extra } = target;
  const { evenDeleted } = rule;
  const { isNeverDeleted, isShared } = tableOf(on);
  const chain = ancestorsOf(on);
  const name = sql.identifier(on);
  const isLive = (kind: Sql, always?: true) =>
    always || evenDeleted ? sql.empty : sql` AND ${kind}."deletedAt" IS NULL`;
  const isOne = bySlug ? hasSlug(name, id) : hasId(on, name, id);
  const workspaceOf = on === "workspace" ? sql`id` : sql`"workspaceId"`;
  const isHere =
    workspaceId === undefined ? sql.empty : sql` AND ${name}.${workspaceOf} = ${workspaceId}`;
  const isTarget = sql`${isOne}${isHere}${isLive(name, isNeverDeleted)}`;
  const isUnderBoard = on === "board" || chain.some(({ kind }) => kind === "board");
  const locked = lock ? lockPath(on) : [];
  const joins = chain.map(({ kind, from, column }) => {
    const [parent, child] = [sql.identifier(kind), sql.identifier(from)];
    const rows = locked.some((step) => step.kind === kind) ? parent : table(kind);
    const isWithin =
      kind === within?.kind ? sql` AND ${hasId(kind, parent, within.id)}` : sql.empty;
    return sql`CROSS JOIN LATERAL (SELECT * FROM ${rows} AS ${parent}
      WHERE ${parent}.id = ${child}.${sql.identifier(column)}${isLive(parent)}${isWithin}
      OFFSET 0) AS ${parent}`;
  });
  const ofRow = isShared ? membershipOfShared(name) : membershipWithoutBoard;
  const mine = isUnderBoard ? membership : ofRow;
  const rows = lock
    ? lockedRows(locked, isTarget, nowait === true ? sql`NOWAIT` : sql.empty)
    : sql`${name} AS MATERIALIZED (SELECT * FROM (SELECT * FROM ${table(on)} AS ${name}
        WHERE ${isOne}${isHere} OFFSET 0) AS ${name} WHERE true${isLive(name, isNeverDeleted)})`;
  return sql`WITH ${rows}
    SELECT ${columnsOf(on, rule)}, caller.*, ${mine} ${extra === undefined ? sql.empty : sql`, extra.*`}
    FROM ${name} ${sql.join(joins, sql` `)}
    CROSS JOIN (${callerWith(credential, now)} OFFSET 0) caller ${membershipJoin(sql`workspace.id`)}
    ${extra === undefined ? sql.empty : sql`CROSS JOIN LATERAL (${extra}) extra`}
    ${isShared ? isShown(name) : sql.empty}`;
}

/**
 * SQL: locks targets after what comes before them in the order of locks, and reads both.
 *
 * Without the lock of its card an event would name the board where a card was that moves meanwhile.
 */
function lockedRows(path: LockStep[], isTarget: Sql, nowait: Sql): Sql {
  const rows = path.map(({ kind, column }, nth) => {
    const [name, parent] = [sql.identifier(kind), path[nth + 1]];
    const isOn =
      parent === undefined || column === undefined
        ? sql.empty
        : sql` AND ${name}.${column} = ANY (
            ARRAY(SELECT id FROM ${sql.identifier(parent.kind)}))`;
    return sql`${name} AS MATERIALIZED (SELECT * FROM ${table(kind)} AS ${name}
      WHERE ${isStep(path, nth, isTarget)}${isOn} ORDER BY ${name}.id FOR NO KEY UPDATE ${nowait})`;
  });
  return sql.join(rows.toReversed(), sql`, `);
}

/** Without a rule, the target is read whole. */
const whole: NonNullable<TargetId["rule"]> = {};
const columns = new WeakMap<object, Map<ResourceKind, Sql>>();

/** SQL: the columns of a target and its ancestors. They are made once for each rule. */
function columnsOf(on: ResourceKind, rule: NonNullable<TargetId["rule"]>): Sql {
  const ofRule = columns.get(rule) ?? new Map<ResourceKind, Sql>();
  columns.set(rule, ofRule);
  return getOrInsert(ofRule, on, () => {
    const name = sql.identifier(on);
    const own = targetColumns(on, rule)?.map((column) => sql`${name}.${sql.identifier(column)}`);
    const ofAncestors = ancestorsOf(on).flatMap(({ kind }) =>
      ancestorColumns(kind, rule).map(
        (column) =>
          sql`${sql.identifier(kind)}.${sql.identifier(column)}
            AS ${sql.identifier(`${kind}.${column}`)}`,
      ),
    );
    return sql.join([...(own ?? [sql`${name}.*`]), ...ofAncestors], sql`, `);
  });
}

/**
 * Finds a target with its ancestors, the caller and the membership in one query. Null if there is
 * none.
 */
export async function resolveTarget(
  query: Query,
  credential: Credential,
  now: Date,
  target: TargetId,
): Promise<Target | null> {
  const [row] = await query<Group>(statement(credential, now, target));
  return row === undefined ? null : targetOf(row, target.on);
}

function targetOf(row: Group, on: ResourceKind): Target {
  const { caller, mine, key, extra, ...resources } = columnGroups(row, on);
  return { resources, caller: callerOf(caller, key), membership: memberOf(mine), extra };
}

/** Resolves a workspace for many credentials of a kind, by their ids; invalid ones are missing. */
export async function resolveMemberships(
  query: Query,
  kind: Credential["kind"],
  ids: string[],
  now: Date,
  workspaceId: bigint,
): Promise<Map<string, Target>> {
  const rows = await query<Group>(sql`SELECT caller.*,
      ${membershipOfRow},
      w.id AS "workspace.id", w."deletedAt" AS "workspace.deletedAt"
    FROM (${callersWith(kind, ids, now)}) caller JOIN workspaces w ON w.id = ${workspaceId}
    ${membershipJoin(sql`w.id`)}`);
  return new Map(
    rows.map((row) => {
      const { of, caller, mine, key, workspace = {} } = columnGroups(row, "none");
      return [
        String(of?.["id"]),
        { resources: { workspace }, caller: callerOf(caller, key), membership: memberOf(mine) },
      ];
    }),
  );
}

const memberOf = (mine: Group | undefined) =>
  mine?.["id"] === null ? null : (mine as MembershipRow);
