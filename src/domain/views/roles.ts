import type { Role as RoleRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Role, RoleDetail } from "../../contract/resources/roles.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";

/** The view of a role. */
export const viewRole = (role: RoleRow): z.infer<typeof Role> => ({
  publicId: role.publicId,
  name: role.name,
  description: role.description,
  hierarchyLevel: role.hierarchyLevel,
  isSystem: role.isSystem,
  permissions: permissions.filter((permission) => role.permissions.includes(permission)),
  version: role.version,
});

/** The view of a role with its workspace. */
export const viewRoleDetail = (
  role: RoleRow,
  workspace: { publicId: string },
): z.infer<typeof RoleDetail> => ({ ...viewRole(role), workspacePublicId: workspace.publicId });
