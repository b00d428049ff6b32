import { ChangedPermissions } from "../../contract/resources/members.ts";
import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { effectivePermissions } from "../../contract/vocabulary/permissions.ts";
import { forbidden } from "../../platform/errors.ts";
import { isAdmin, isLastAdmin, publishPermissions } from "./override.ts";
import { changedPermissions } from "./member-permissions.ts";
import { rest } from "../../kernel/request/rest.ts";
import { withAccessChanges } from "../access-changes.ts";

/** Removes all permission overrides of a member. */
export const resetMember = mutation("permission.resetMember")
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions/reset",
      "Reset a member's permissions",
      "Removes a member's overrides, so that only the role counts. The caller's role must rank " +
        "above the member's role (admins: at least equal), and the caller must hold every " +
        "permission that the member gets back. Only the last active admin can reset themselves.",
    ),
  )
  .output(ChangedPermissions)
  .mutation(async ({ ctx: { member, membership, workspace, tx } }) => {
    const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
    const isSelf = member.id === membership.id;
    if (isSelf && !(isAdmin(role) && (await isLastAdmin(tx, workspace.id, member.id))))
      throw forbidden("own_permissions", "You cannot reset your own permissions.");
    checkAbove(membership, role.hierarchyLevel);
    const show = () => changedPermissions(tx.query, member, workspace);
    const where = { memberId: member.id };
    const overrides = await tx.prisma.memberOverride.findMany({ where });
    if (overrides.length === 0) return show();
    const restored = overrides.filter(
      ({ granted, permission }) => !granted && role.permissions.includes(permission),
    );
    const may: ReadonlySet<string> = membership.may;
    if (!isSelf && restored.some(({ permission }) => !may.has(permission))) {
      throw forbidden("permission_not_held", "You can only grant permissions that you hold.");
    }
    return withAccessChanges(tx, { memberId: member.id }, [workspace.id], async () => {
      await tx.prisma.memberOverride.deleteMany({ where });
      const from = effectivePermissions(role.permissions, overrides);
      const to = effectivePermissions(role.permissions, []);
      await publishPermissions(tx, member.id, { permission: "*", granted: false }, { from, to });
      return show();
    });
  });
