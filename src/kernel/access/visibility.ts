import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Board } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Caller } from "./callers.ts";

/**
 * The visibility rule: a board is visible to every active member of its workspace, unless it is
 * restricted. Then it is visible to its board members and to members with `workspace:manage`.
 * An API key that is bound to a board sees that board only.
 *
 * The forms below are for SQL, for Prisma and for rows in memory. A test compares them.
 */
export type Viewer = { memberId: bigint; managesWorkspace: boolean; boardId: bigint | null };

/** The caller of an operation as a viewer of boards. */
export const viewerOf = (from: {
  membership: { id: bigint; may: ReadonlySet<Permission> };
  caller: Pick<Caller, "key">;
}): Viewer => ({
  memberId: from.membership.id,
  managesWorkspace: from.membership.may.has("workspace:manage"),
  boardId: from.caller.key?.boardId ?? null,
});

/** SQL: whether `board` is visible to `member`, who manages the workspace or not. */
export const isVisibleTo = (member: Sql, manages: Sql, board = sql`b`): Sql =>
  sql`(${board}.visibility <> 'restricted' OR ${isBoardMember(member, board)} OR ${manages})`;

/** SQL: whether the viewer may see a board. */
export const isVisible = ({ memberId, managesWorkspace, boardId }: Viewer, board = sql`b`): Sql =>
  sql`(${isVisibleTo(sql`${memberId}::bigint`, sql`${managesWorkspace}::boolean`, board)}
    AND (${boardId}::bigint IS NULL OR ${board}.id = ${boardId}))`;

/** SQL: whether a member was added to a board. */
const isBoardMember = (member: Sql, board: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM board_members bm
    WHERE bm."boardId" = ${board}.id AND bm."memberId" = ${member})`;

/** Prisma: the members who see a board. */
export const membersWhoSee = ({ id, visibility }: Pick<Board, "id" | "visibility">) =>
  visibility === "restricted"
    ? { OR: [{ boards: { some: { boardId: id } } }, membersWith("workspace:manage")] }
    : {};

/** A board in memory; of a restricted one its members. */
export type BoardAccess = { id: bigint; members: ReadonlySet<bigint> | "all" };

/** Whether the viewer may see a board; one that no longer exists is undefined. */
export function sees(viewer: Viewer, board: BoardAccess | undefined): boolean {
  if (viewer.boardId !== null && board?.id !== viewer.boardId) return false;
  if (viewer.managesWorkspace) return true;
  return board !== undefined && (board.members === "all" || board.members.has(viewer.memberId));
}

/** Reads boards for `sees`, by their public ids. */
export async function readBoardAccess(
  query: Query,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, BoardAccess>> {
  if (publicIds.length === 0) return new Map();
  type Row = { publicId: string; id: bigint; members: (bigint | string)[] | null };
  const rows = await query<Row>(sql`SELECT b."publicId", b.id,
      CASE WHEN b.visibility = 'restricted' THEN ARRAY(SELECT bm."memberId" FROM board_members bm
        WHERE bm."boardId" = b.id) END AS members
    FROM boards b WHERE b."publicId" = ANY (${publicIds}::text[])`);
  return new Map(
    rows.map(({ publicId, id, members }) => [
      publicId,
      { id, members: members === null ? "all" : new Set(members.map(BigInt)) },
    ]),
  );
}

/** Prisma: the members who hold a permission by their role and their overrides. */
export const membersWith = (permission: Permission) => ({
  OR: [
    { role: { permissions: { has: permission } } },
    { overrides: { some: { permission, granted: true } } },
  ],
  NOT: { overrides: { some: { permission, granted: false } } },
});

/** SQL: whether a member with a role holds a permission: by the override, or else by the role. */
export const holdsPermission = (permission: Sql, member = sql`m`, role = sql`r`): Sql =>
  sql`coalesce((SELECT o.granted FROM member_overrides o
      WHERE o."memberId" = ${member}.id AND o.permission = ${permission}),
    ${permission} = ANY (${role}.permissions))`;
