import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Caller } from "./callers.ts";
import type { Membership } from "./authorize.ts";

/** Whether the caller may see the board `b`: no restricted board of others, no board outside the key. */
export const visibleBoard = ({
  membership,
  caller,
}: {
  membership: Membership;
  caller: Caller;
}): Sql => {
  const boardId = caller.key?.boardId ?? null;
  return sql`(b.visibility <> 'restricted' OR ${membership.may.has("workspace:manage")}
      OR EXISTS (SELECT 1 FROM board_members bm
        WHERE bm."boardId" = b.id AND bm."memberId" = ${membership.id}))
    AND (${boardId}::bigint IS NULL OR b.id = ${boardId})`;
};

/**
 * Whether a member holds a permission, by an override of their own or by their role.
 * For statements over several workspaces; `permission` is an expression.
 */
export const holdsPermission = (permission: Sql, member = sql`m`, role = sql`r`): Sql =>
  sql`coalesce((SELECT o.granted FROM member_overrides o
      WHERE o."memberId" = ${member}.id AND o.permission = ${permission}),
    ${permission} = ANY (${role}.permissions))`;
