import { forbidden } from "../../platform/errors.ts";
import { adminOnly, systemRoles, type Permission } from "../../contract/vocabulary/permissions.ts";
import type { Membership } from "./authorize.ts";

const top = systemRoles.admin.level;

/** 403 unless the caller stands above a level, or is an admin: who acts on others needs to. */
export function checkAbove(caller: Pick<Membership, "level">, level: number) {
  if (caller.level < top && caller.level <= level) {
    throw forbidden("This needs a role above the one that it concerns.");
  }
}

/** 403 unless the caller holds a permission, and whoever stands at `level` may be given it. */
export function checkGrantable(
  caller: Pick<Membership, "may">,
  permission: Permission,
  level: number,
) {
  if (!caller.may.has(permission)) {
    throw forbidden("Nobody can hand out a permission that they do not hold.");
  }
  if (adminOnly.includes(permission) && level < top) {
    throw forbidden(`${permission} can be held by admins only.`);
  }
}

/** 403 unless a role is no higher than the caller's and gives nothing that the caller does not hold: whoever lets others in needs both. */
export function checkGivable(
  caller: Pick<Membership, "level" | "may">,
  role: { hierarchyLevel: number; permissions: string[] },
) {
  if (role.hierarchyLevel > caller.level) throw forbidden("The role is above your own.");
  if (!canGive(caller, role)) throw forbidden("The role holds permissions that you do not.");
}

/** Whether a role ranks no higher than a member's role and has only permissions of the member. */
export function canGive(
  { level, may }: Pick<Membership, "level" | "may">,
  role: { hierarchyLevel: number; permissions: string[] },
): boolean {
  const held: ReadonlySet<string> = may;
  return role.hierarchyLevel <= level && role.permissions.every((one) => held.has(one));
}
