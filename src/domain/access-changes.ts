import { setImmediate } from "node:timers/promises";
import { Board } from "../contract/resources/boards.ts";
import type { Permission } from "../contract/vocabulary/permissions.ts";
import { viewPermissionsIn } from "../kernel/access/filter-output.ts";
import { holdsPermission, isVisibleTo } from "../kernel/access/visibility.ts";
import { conflict } from "../platform/errors.ts";
import type { UnitOfWork } from "../kernel/events/unit-of-work.ts";
import type { Query } from "../platform/db/query.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { getOrInsert } from "../platform/maps.ts";

/** What to compare: one board, one member, one role or one user. */
export type AccessScope =
  | { boardId: bigint }
  | { memberId: bigint }
  | { roleId: bigint }
  | { userId: bigint; workspaceId: bigint };

type Tx = UnitOfWork<"access.gained" | "access.lost">;
/** The members who may view the same parts of a board. */
type Row = { workspaceId: bigint; board: string; views: string; members: string[] };
type Change = { type: "access.gained" | "access.lost"; row: Row };

/** The permissions that the parts of a board require. */
const viewing = [...viewPermissionsIn(Board)];
const managing: Permission = "workspace:manage";

/** Whether a permission decides what its holder can see of boards. */
export const decidesAccess = (permission: Permission): boolean =>
  permission === managing || viewing.includes(permission);

/** The most members that one event names, so that it is not shortened. */
export const membersPerEvent = 500;

/**
 * Runs a change of access, and publishes which members gain and lose boards by it.
 *
 * Every operation that can change who sees what of a board runs in this function. It locks the
 * workspaces, so that two changes of access do not miss each other. A member who may view other
 * parts of a board than before loses and gains it. Removed members are named as well: they get
 * the event where no membership is needed.
 */
export async function withAccessChanges<Result>(
  tx: Tx,
  scope: AccessScope,
  workspaceIds: bigint[],
  change: () => Promise<Result>,
): Promise<Result> {
  await tx.lock("workspaces", workspaceIds);
  const target = await targetOf(tx.query, scope);
  const before = await readAccess(tx.query, target);
  const result = await change();
  const after = await readAccess(tx.query, target);
  const [lost, gained] = [await missingIn(after, before), await missingIn(before, after)];
  publish(tx, [
    ...lost.map((row): Change => ({ type: "access.lost", row })),
    ...gained.map((row): Change => ({ type: "access.gained", row })),
  ]);
  return result;
}

/** SQL: the boards `b` and the members `m` of a scope, also when the change moves them. */
async function targetOf(query: Query, scope: AccessScope): Promise<Sql> {
  if ("boardId" in scope) return sql`b.id = ${scope.boardId}`;
  if ("memberId" in scope) return sql`m.id = ${scope.memberId}`;
  if ("userId" in scope) {
    return sql`m."userId" = ${scope.userId} AND m."workspaceId" = ${scope.workspaceId}`;
  }
  const { roleId } = scope;
  const members = await query<{ id: bigint; boards: number }>(sql`SELECT id,
      (SELECT count(*)::int FROM boards b WHERE b."deletedAt" IS NULL AND b."workspaceId" =
        (SELECT r."workspaceId" FROM roles r WHERE r.id = ${roleId})) AS boards
    FROM members WHERE "roleId" = ${roleId} ORDER BY id FOR NO KEY UPDATE`);
  checkChanges(members.length, members[0]?.boards ?? 0);
  return sql`m.id = ANY (${members.map(({ id }) => id)}::bigint[])`;
}

/** For how many members and boards one call changes access: each gets an event. */
const maxChanges = 150_000;

function checkChanges(members: number, boards: number): void {
  if (members * boards <= maxChanges) return;
  throw conflict(
    "limit_exceeded",
    `The change affects ${members} members of the role on ${boards} boards; the limit is ` +
      `${maxChanges.toLocaleString("en")} of both, multiplied. Divide the members among roles.`,
  );
}

// Without OFFSET 0 the rights of a member would be computed for each board.
const readAccess = (query: Query, target: Sql) =>
  query<Row>(sql`
    SELECT m."workspaceId", b."publicId" AS board, rights.views,
      array_agg(m."publicId" ORDER BY m.id) AS members
    FROM members m JOIN roles r ON r.id = m."roleId"
    CROSS JOIN LATERAL (SELECT ${holdsPermission(sql`'board:view'`)} AS sees,
      ${holdsPermission(sql`'workspace:manage'`)} AS manages,
      ARRAY(SELECT one.name FROM unnest(${viewing}::text[]) AS one(name)
        WHERE ${holdsPermission(sql`one.name`)})::text AS views OFFSET 0) AS rights
    JOIN boards b ON b."workspaceId" = m."workspaceId" AND b."deletedAt" IS NULL
    WHERE m.status = 'active' AND rights.sees
      AND ${isVisibleTo(sql`m.id`, sql`rights.manages`)} AND ${target}
    GROUP BY m."workspaceId", b.id, rights.views ORDER BY b.id, rights.views`);

/** How many boards are compared before other calls are served. */
const boardsPerSlice = 20;

/** The members of `rows` that are not in `present`. */
async function missingIn(present: readonly Row[], rows: readonly Row[]): Promise<Row[]> {
  const keyOf = ({ board, views }: Row) => `${board} ${views}`;
  const membersByKey = new Map(present.map((row) => [keyOf(row), row.members]));
  const missing: Row[] = [];
  for (const [nth, row] of rows.entries()) {
    if (nth % boardsPerSlice === boardsPerSlice - 1) await setImmediate();
    const presentMembers = new Set(membersByKey.get(keyOf(row)));
    const members = row.members.filter((member) => !presentMembers.has(member));
    if (members.length > 0) missing.push({ ...row, members });
  }
  return missing;
}

function publish(tx: Tx, changes: readonly Change[]): void {
  const groups = new Map<string, { change: Change; members: string[] }>();
  for (const change of changes) {
    const { type, row } = change;
    const key = `${type} ${row.workspaceId} ${row.board}`;
    getOrInsert(groups, key, () => ({ change, members: [] })).members.push(...row.members);
  }
  for (const { change, members } of groups.values()) {
    const { type, row } = change;
    for (let start = 0; start < members.length; start += membersPerEvent) {
      const memberPublicIds = members.slice(start, start + membersPerEvent);
      tx.emitIn(row.workspaceId, type, { boardPublicId: row.board, memberPublicIds });
    }
  }
}
