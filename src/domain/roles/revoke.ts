import { z } from "zod";
import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { systemRoles } from "../../contract/vocabulary/permissions.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { conflict } from "../../platform/errors.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { PermissionName } from "../../contract/resources/roles.ts";
import { viewRole } from "../views/roles.ts";

const Revocation = z.strictObject({ permission: PermissionName });

/** Takes a permission from a role, in force from its members' next call. */
export const revokeFromRole = mutation("role.revoke", Revocation)
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/roles/{rolePublicId}/permissions/revoke",
      "Take a permission from a role",
      "Needs a role above this one (admins: at least equal). The system admin role keeps all its permissions.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { role, membership, tx }, input: { permission } }) => {
    checkAbove(membership, role.hierarchyLevel);
    if (!role.permissions.includes(permission)) return success;
    if (role.isSystem && role.hierarchyLevel === systemRoles.admin.level) {
      throw conflict("The admin role keeps all its permissions.");
    }
    const after = await tx.prisma.role.update({
      where: { id: role.id },
      data: {
        permissions: role.permissions.filter((held) => held !== permission),
        version: { increment: 1 },
        updatedAt: tx.now,
      },
    });
    tx.emit(
      "role.updated",
      { role: viewRole(after) },
      changesBetween(viewRole(role), viewRole(after)),
    );
    return success;
  });
