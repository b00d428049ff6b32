import { policy } from "../../contract/policy.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { effectivePermissions, systemRoles } from "../../contract/vocabulary/permissions.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import { checkAbove, checkGrantable } from "../../kernel/access/hierarchy.ts";
import type { Member, Workspace } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict, forbidden } from "../../platform/errors.ts";
import { sql } from "../../platform/db/sql.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";
import { decidesAccess, withAccessChanges } from "../access-changes.ts";

/** What an active admin must hold, so that the permissions of all members can be repaired. */
const repairing: Permission[] = [
  "workspace:manage",
  policy["permission.resetMember"].needs,
  ...policy["permission.resetMember"].views,
];

type OverrideChange = {
  member: Member;
  workspace: Pick<Workspace, "id">;
  membership: Membership;
  caller: Caller;
  tx: UnitOfWork<"member.permissions_changed" | "access.gained" | "access.lost">;
};

/** Raises the version of a member whose permissions have changed, and emits the event. */
export async function publishPermissions(
  tx: OverrideChange["tx"],
  id: bigint,
  change: { permission: string; granted: boolean },
  permissions: { from: readonly Permission[]; to: readonly Permission[] },
): Promise<void> {
  const after = await tx.prisma.member.update({
    where: { id },
    data: { version: { increment: 1 }, updatedAt: tx.now },
    select: memberSelect,
  });
  const data = { member: showMember(after, false), ...change };
  tx.emit("member.permissions_changed", data, { permissions });
}

/** Grants a permission to a member or revokes it, regardless of their role. */
export async function override(
  ctx: OverrideChange,
  permission: Permission,
  granted: boolean,
): Promise<void> {
  const { member, membership, tx, workspace } = ctx;
  const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
  const self = member.id === membership.id;
  if (granted && self)
    throw forbidden("own_permissions", "You cannot grant permissions to yourself.");
  if (!self) checkAbove(membership, role.hierarchyLevel);
  if (granted) checkGrantable(membership, permission, role.hierarchyLevel);
  if (member.status === "removed") {
    if (!granted) return;
    throw conflict("member_removed", "The member was removed from the workspace.");
  }
  const where = { memberId: member.id };
  const overrides = await tx.prisma.memberOverride.findMany({ where });
  const before = effectivePermissions(role.permissions, overrides);
  if (before.includes(permission) === granted) return;
  const isLast =
    !granted && repairing.includes(permission) && (await isLastAdmin(tx, workspace.id, member.id));
  if (isLast) throw conflict("last_admin", `The last active admin must have ${permission}.`);
  const change = async () => {
    await tx.prisma.memberOverride.upsert({
      where: { memberId_permission: { ...where, permission } },
      create: { ...where, permission, granted, workspaceId: workspace.id, createdAt: tx.now },
      update: { granted },
    });
    const to = effectivePermissions(role.permissions, [...overrides, { permission, granted }]);
    await publishPermissions(tx, member.id, { permission, granted }, { from: before, to });
  };
  if (!decidesAccess(permission)) return change();
  return withAccessChanges(tx, { memberId: member.id }, [workspace.id], change);
}

type OverrideRepair = {
  workspace: Pick<Workspace, "id">;
  membership: Pick<Membership, "id">;
  tx: OverrideChange["tx"];
};

/**
 * Gives an admin back what repairs permissions, if no other active admin can repair them.
 *
 * The last one may have deleted their account while the workspace was in the trash. Returns the
 * permissions that were given back.
 */
export async function giveBackRepair({ workspace, membership, tx }: OverrideRepair) {
  const where = { memberId: membership.id, granted: false, permission: { in: repairing } };
  const overrides = await tx.prisma.memberOverride.findMany({ where });
  if (overrides.length === 0 || !(await isLastAdmin(tx, workspace.id, membership.id))) return [];
  const member = await tx.prisma.member.findUniqueOrThrow({
    where: { id: membership.id },
    include: { role: true, overrides: true },
  });
  if (!isAdmin(member.role)) return [];
  const from = effectivePermissions(member.role.permissions, member.overrides);
  return withAccessChanges(tx, { memberId: member.id }, [workspace.id], async () => {
    await tx.prisma.memberOverride.deleteMany({ where });
    const restored = new Set(overrides.map(({ permission }) => permission));
    const kept = member.overrides.filter(({ permission }) => !restored.has(permission));
    const to = effectivePermissions(member.role.permissions, kept);
    await publishPermissions(tx, member.id, { permission: "*", granted: true }, { from, to });
    return to.filter((permission) => !from.includes(permission));
  });
}

/** Whether a role is the admin role of its workspace. */
export const isAdmin = (role: { isSystem: boolean; hierarchyLevel: number }): boolean =>
  role.isSystem && role.hierarchyLevel === systemRoles.admin.level;

/**
 * SQL: whether the member `m` with the role `r` is an active admin who can repair permissions.
 *
 * A service account is none: nobody signs in to it.
 */
export const mayRepair = sql`(m.status = 'active' AND r."isSystem"
  AND r."hierarchyLevel" = ${sql.number(systemRoles.admin.level)}
  AND NOT EXISTS (SELECT FROM member_overrides o WHERE o."memberId" = m.id AND NOT o.granted
    AND o.permission = ANY(${repairing}::text[]))
  AND NOT EXISTS (SELECT FROM users u WHERE u.id = m."userId" AND u."isService"))`;

/** Whether no other active admin can repair permissions. The workspace is locked. */
export async function isLastAdmin(
  { query }: Pick<UnitOfWork, "query">,
  workspaceId: bigint,
  memberId: bigint,
): Promise<boolean> {
  const others = await query(sql`SELECT 1 FROM members m JOIN roles r ON r.id = m."roleId"
    WHERE m."workspaceId" = ${workspaceId} AND m.id <> ${memberId} AND ${mayRepair} LIMIT 1`);
  return others.length === 0;
}
