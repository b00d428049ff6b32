import type { Caller } from "./callers.ts";
import type { Membership } from "./authorize.ts";

/**
 * The boards that a listing may show, as a condition on `b`: not the restricted ones that the caller is not on, and for a key that is
 * bound to a board only that one. Its three values are numbered from `first` on; `visibleValues` gives them.
 */
export const visibleBoard = (first: number) =>
  `(b.visibility <> 'restricted' OR $${first} OR EXISTS (SELECT 1 FROM board_members bm
    WHERE bm."boardId" = b.id AND bm."memberId" = $${first + 1}))
   AND ($${first + 2}::bigint IS NULL OR b.id = $${first + 2})`;

/** The values of `visibleBoard`. */
export const visibleValues = ({
  membership,
  caller,
}: {
  membership: Membership;
  caller: Caller;
}) => [membership.may.has("workspace:manage"), membership.id, caller.key?.boardId ?? null];

/** Whether a member holds a permission, as SQL: their own override, else what their role says. For statements that span workspaces, where `locate` has not been. */
export const holdsPermission = (permission: string, member = "m", role = "r") =>
  `coalesce((SELECT o.granted FROM member_overrides o WHERE o."memberId" = ${member}.id AND o.permission = ${permission}),
    ${permission} = ANY (${role}.permissions))`;
