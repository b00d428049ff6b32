import { z } from "zod";
import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { systemRoles } from "../../contract/vocabulary/permissions.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { conflict } from "../../platform/errors.ts";
import { success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ChangedRole, PermissionName } from "../../contract/resources/roles.ts";
import { showRole, showRoleDetail } from "../presenters/roles.ts";
import { decidesAccess, withAccessChanges } from "../access-changes.ts";

const Revocation = z.strictObject({ permission: PermissionName });

/** Removes a permission from a role, effective from its members' next call. */
export const revokeFromRole = mutation("role.revoke", Revocation)
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/roles/{rolePublicId}/permissions/revoke",
      "Revoke a permission from a role",
      "Removes a permission from a role. The caller's role must rank above this role (admins: at " +
        "least equal). The permissions of the admin role are fixed.",
    ),
  )
  .output(ChangedRole)
  .mutation(async ({ ctx: { role, workspace, membership, tx }, input: { permission } }) => {
    checkAbove(membership, role.hierarchyLevel);
    const show = (row: typeof role) => ({ ...showRoleDetail(row, workspace), ...success });
    if (!role.permissions.includes(permission)) return show(role);
    if (role.isSystem && role.hierarchyLevel === systemRoles.admin.level) {
      throw conflict("system_role", "The permissions of the admin role cannot be changed.");
    }
    const change = async () => {
      const after = await tx.prisma.role.update({
        where: { id: role.id },
        data: {
          permissions: role.permissions.filter((kept) => kept !== permission),
          version: { increment: 1 },
          updatedAt: tx.now,
        },
      });
      tx.emit(
        "role.updated",
        { role: showRole(after) },
        changesBetween(showRole(role), showRole(after)),
      );
      return show(after);
    };
    return decidesAccess(permission)
      ? withAccessChanges(tx, { roleId: role.id }, [workspace.id], change)
      : change();
  });
