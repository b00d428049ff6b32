import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type { Credential } from "./credential.ts";
import type { Query } from "../../platform/db/query.ts";
import { callerOf, callers, manyCallers, type Caller } from "./callers.ts";
import { ancestorsOf, ancestorColumns, tableOf } from "./resources.ts";

/** The caller's active membership in the target's workspace, as it stands in the database. */
export type MembershipRow = {
  id: bigint;
  publicId: string;
  roleId: bigint;
  role: string;
  level: number;
  rolePermissions: string[];
  /** `+permission` or `-permission`. */
  overrides: string[];
  /** False on a restricted board that the member has not been added to. */
  onBoard: boolean;
};

type Group = Record<string, unknown>;

/** A target with its chain up to the workspace, who calls, and what they are there. */
export type Target = {
  resources: Record<string, Group>;
  caller: Caller;
  membership: MembershipRow | null;
};

const membershipWith = (
  rolePermissions: string,
) => `mine.id AS "mine.id", mine."publicId" AS "mine.publicId", mine."roleId" AS "mine.roleId",
  "myRole".name AS "mine.role", "myRole"."hierarchyLevel" AS "mine.level", ${rolePermissions} AS "mine.rolePermissions",
  ARRAY(SELECT CASE WHEN o.granted THEN '+' ELSE '-' END || o.permission
    FROM member_overrides o WHERE o."memberId" = mine.id) AS "mine.overrides"`;

const membership = membershipWith(`"myRole".permissions`);

function statement(
  credential: Credential["kind"],
  on: ResourceKind,
  within: ResourceKind | undefined,
  lock: boolean,
  evenDeleted: boolean,
  bySlug: boolean,
) {
  const { table, keeps } = tableOf(on);
  const chain = ancestorsOf(on);
  const alive = (kind: string, kept?: true) =>
    kept || evenDeleted ? "" : ` AND "${kind}"."deletedAt" IS NULL`;
  const target = `SELECT * FROM ${table} AS "${on}" WHERE ${bySlug ? `"${on}".slug = lower($3)` : `"${on}"."publicId" = $3`}${alive(on, keeps)}`;
  const underBoard = on === "board" || chain.some(({ kind }) => kind === "board");
  const onBoard = underBoard
    ? `(board.visibility <> 'restricted' OR EXISTS (SELECT 1 FROM board_members bm WHERE bm."boardId" = board.id AND bm."memberId" = mine.id))`
    : "true";
  return `WITH "${on}" AS MATERIALIZED (${target}${lock ? " FOR NO KEY UPDATE" : ""})
    SELECT "${on}".*, caller.*, ${membership}, ${onBoard} AS "mine.onBoard"
      ${chain
        .map(({ kind }) =>
          ancestorColumns(kind)
            .map((column) => `, "${kind}"."${column}" AS "${kind}.${column}"`)
            .join(""),
        )
        .join("")}
    FROM "${on}"
    ${chain.map(({ kind, from, column }) => `JOIN ${tableOf(kind).table} AS "${kind}" ON "${kind}".id = "${from}"."${column}"${alive(kind)}${kind === within ? ` AND "${kind}"."publicId" = $4` : ""}`).join("\n")}
    CROSS JOIN (${callers[credential]}) caller
    LEFT JOIN members mine ON mine."workspaceId" = workspace.id AND mine."userId" = caller."caller.userId" AND mine.status = 'active'
    LEFT JOIN roles "myRole" ON "myRole".id = mine."roleId"`;
}

const statements = new Map<string, string>();
function cached(name: string, make: () => string) {
  let sql = statements.get(name);
  if (sql === undefined) statements.set(name, (sql = make()));
  return sql;
}

/** Finds a target by its public id with its chain, the caller and the caller's grants, in one query; null when either is missing. */
export async function resolveTarget(
  query: Query,
  credential: Credential,
  now: Date,
  target: {
    on: ResourceKind;
    id: string;
    /** Whether `id` is its slug, in whichever case. */
    bySlug?: boolean;
    within?: { kind: ResourceKind; id: string } | undefined;
    lock: boolean;
    /** Finds what has been deleted, or lies in something that has. */
    evenDeleted?: boolean | undefined;
  },
): Promise<Target | null> {
  const { on, within, lock, evenDeleted = false, bySlug = false } = target;
  const sql = cached(
    `${credential.kind} ${on} ${within?.kind} ${lock} ${evenDeleted} ${bySlug}`,
    () => statement(credential.kind, on, within?.kind, lock, evenDeleted, bySlug),
  );
  const values: unknown[] = [credential.id, now, target.id];
  if (within !== undefined) values.push(within.id);
  const [row] = await query<Group>(sql, values);
  if (row === undefined) return null;
  const { caller, mine, key, ...resources } = groups(row, on);
  return {
    resources,
    caller: callerOf(caller, key),
    membership: memberOf(mine),
  };
}

/** Who holds a credential; null when it is not good (any more). */
export async function findCaller(
  query: Query,
  credential: Credential,
  now: Date,
): Promise<Caller | null> {
  const [row] = await query<Group>(callers[credential.kind], [credential.id, now]);
  if (row === undefined) return null;
  const { caller, key } = groups(row, "none");
  return callerOf(caller, key);
}

/** What many credentials of a kind are good for in one workspace, by their ids; those that are not good (any more) are not there. */
export async function resolveMemberships(
  query: Query,
  kind: Credential["kind"],
  ids: string[],
  now: Date,
  workspaceId: bigint,
): Promise<Map<string, Target>> {
  const sql = cached(
    `all ${kind}`,
    () => `SELECT caller.*, ${membershipWith(`array_to_string("myRole".permissions, ',')`)}, true AS "mine.onBoard", w.id AS "workspace.id", w."deletedAt" AS "workspace.deletedAt"
    FROM (${manyCallers[kind]}) caller JOIN workspaces w ON w.id = $3
    LEFT JOIN members mine ON mine."workspaceId" = $3 AND mine."userId" = caller."caller.userId" AND mine.status = 'active'
    LEFT JOIN roles "myRole" ON "myRole".id = mine."roleId"`,
  );
  const rows = await query<Group>(sql, [ids, now, workspaceId]);
  // Many have one role: what it says is taken apart once.
  const roles = new Map<unknown, string[]>();
  const permissionsOf = (text: unknown) => {
    const known = roles.get(text) ?? String(text).split(",");
    roles.set(text, known);
    return known;
  };
  return new Map(
    rows.map((row) => {
      const { of, caller, mine = {}, key, workspace = {} } = groups(row, "none");
      mine["rolePermissions"] = permissionsOf(mine["rolePermissions"]);
      return [
        String(of?.["id"]),
        { resources: { workspace }, caller: callerOf(caller, key), membership: memberOf(mine) },
      ];
    }),
  );
}

const memberOf = (mine: Group | undefined) =>
  mine?.["id"] === null ? null : (mine as MembershipRow);

function groups(row: Group, plain: string): Record<string, Group> {
  const result: Record<string, Group> = {};
  for (const name in row) {
    const dot = name.indexOf(".");
    const group = dot < 0 ? plain : name.slice(0, dot);
    (result[group] ??= {})[dot < 0 ? name : name.slice(dot + 1)] = row[name];
  }
  return result;
}
