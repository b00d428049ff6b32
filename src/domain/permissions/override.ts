import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { effective, systemRoles } from "../../contract/vocabulary/permissions.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { Standing } from "../../kernel/access/authorize.ts";
import { checkAbove, checkGrantable } from "../../kernel/access/hierarchy.ts";
import type { Member, Workspace } from "../../platform/db/rows.ts";
import type { Work } from "../../kernel/unit-of-work.ts";
import { conflict, forbidden } from "../../platform/errors.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";

type Overriding = {
  member: Member;
  workspace: Pick<Workspace, "id">;
  standing: Standing;
  caller: Caller;
  work: Work<"member.permissions_changed">;
};

/** Adds a permission to a member or takes one away, whatever the role says. Nothing happens when it is so already. */
export async function override(
  ctx: Overriding,
  permission: Permission,
  granted: boolean,
): Promise<void> {
  const { member, standing, work, workspace } = ctx;
  const role = await work.tx.role.findUniqueOrThrow({ where: { id: member.roleId } });
  const self = member.id === standing.id;
  if (granted && self) throw forbidden("Nobody can grant permissions to themselves.");
  if (!self) checkAbove(standing, role.hierarchyLevel);
  if (granted) checkGrantable(standing, permission, role.hierarchyLevel);
  const where = { memberId: member.id };
  const overrides = await work.tx.memberOverride.findMany({ where });
  const before = effective(role.permissions, overrides);
  if (before.includes(permission) === granted) return;
  const isLast =
    !granted &&
    permission === "workspace:manage" &&
    (await isLastManager(work, workspace.id, member.id));
  if (isLast) throw conflict("The last active admin cannot lose workspace:manage.");
  await work.tx.memberOverride.upsert({
    where: { memberId_permission: { ...where, permission } },
    create: { ...where, permission, granted, workspaceId: workspace.id, createdAt: work.now },
    update: { granted },
  });
  const after = await work.tx.member.update({
    where: { id: member.id },
    data: { version: { increment: 1 }, updatedAt: work.now },
    select: memberSelect,
  });
  work.emit(
    "member.permissions_changed",
    { member: viewMember(after, false), permission, granted },
    {
      permissions: {
        from: before,
        to: effective(role.permissions, [...overrides, { permission, granted }]),
      },
    },
  );
}

/** Whether no other active admin could manage the workspace; asked under a lock on the workspace, so that two cannot leave at once. */
export async function isLastManager(
  work: Work,
  workspaceId: bigint,
  memberId: bigint,
): Promise<boolean> {
  await work.lock("workspaces", [workspaceId]);
  const others = await work.tx.member.count({
    where: {
      workspaceId,
      status: "active",
      id: { not: memberId },
      role: { isSystem: true, hierarchyLevel: systemRoles.admin.level },
      overrides: { none: { permission: "workspace:manage", granted: false } },
    },
  });
  return others === 0;
}
