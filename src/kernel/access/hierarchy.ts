import { forbidden } from "../../platform/errors.ts";
import { adminOnly, systemRoles, type Permission } from "../../contract/vocabulary/permissions.ts";
import type { Membership } from "./authorize.ts";

const top = systemRoles.admin.level;

/** 403 unless the caller ranks above a level or is an admin. */
export function checkAbove(caller: Pick<Membership, "level">, level: number) {
  if (caller.level < top && caller.level <= level) {
    throw forbidden("role_too_low", "Your role must rank above the target role.");
  }
}

/** 403 unless the caller holds a permission, and a role at `level` may have it. */
export function checkGrantable(
  caller: Pick<Membership, "may">,
  permission: Permission,
  level: number,
) {
  if (!caller.may.has(permission)) {
    throw forbidden("permission_not_held", "You can only grant permissions that you hold.");
  }
  if (adminOnly.includes(permission) && level < top) {
    throw forbidden("admins_only", `${permission} can only be granted to admins.`);
  }
}

/** 403 unless a role ranks no higher than the caller's and has no permission that they lack. */
export function checkRoleAssignable(
  caller: Pick<Membership, "level" | "may">,
  role: { hierarchyLevel: number; permissions: readonly string[] },
) {
  if (role.hierarchyLevel > caller.level)
    throw forbidden("role_too_low", "The role ranks above yours.");
  if (!canAssignRole(caller, role))
    throw forbidden("permission_not_held", "The role has permissions that you do not hold.");
}

/** Whether a role ranks no higher than a member's role and has only permissions of the member. */
export function canAssignRole(
  { level, may }: Pick<Membership, "level" | "may">,
  role: { hierarchyLevel: number; permissions: readonly string[] },
): boolean {
  const permissions: ReadonlySet<string> = may;
  return (
    role.hierarchyLevel <= level &&
    role.permissions.every((permission) => permissions.has(permission))
  );
}
