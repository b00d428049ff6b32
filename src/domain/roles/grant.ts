import { z } from "zod";
import { checkAbove, checkGrantable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { PermissionName } from "../../contract/resources/roles.ts";
import { showRole } from "../presenters/roles.ts";
import { decidesAccess, withAccessChanges } from "../access-changes.ts";

const Grant = z.strictObject({ permission: PermissionName });

/** Adds a permission to a role, effective from its members' next call. */
export const grantToRole = mutation("role.grant", Grant)
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/roles/{rolePublicId}/permissions/grant",
      "Grant a permission to a role",
      "Adds a permission to a role. The permission takes effect with the members' next calls. " +
        "The caller must hold the permission, and their role must rank above this role (admins: " +
        "at least equal).",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { role, workspace, membership, tx }, input: { permission } }) => {
    checkAbove(membership, role.hierarchyLevel);
    checkGrantable(membership, permission, role.hierarchyLevel);
    if (role.permissions.includes(permission)) return success;
    const change = async () => {
      const after = await tx.prisma.role.update({
        where: { id: role.id },
        data: { permissions: { push: permission }, version: { increment: 1 }, updatedAt: tx.now },
      });
      tx.emit(
        "role.updated",
        { role: showRole(after) },
        changesBetween(showRole(role), showRole(after)),
      );
    };
    if (decidesAccess(permission)) {
      await withAccessChanges(tx, { roleId: role.id }, [workspace.id], change);
    } else await change();
    return success;
  });
