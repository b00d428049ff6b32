import type { Role as RoleRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Role, RoleDetail } from "../../contract/resources/roles.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";

/** Shows a role. */
export const showRole = (role: RoleRow): z.infer<typeof Role> => ({
  publicId: role.publicId,
  name: role.name,
  description: role.description,
  hierarchyLevel: role.hierarchyLevel,
  isSystem: role.isSystem,
  permissions: permissions.filter((permission) => role.permissions.includes(permission)),
  version: role.version,
});

/** Shows a role with its workspace. */
export const showRoleDetail = (
  role: RoleRow,
  workspace: { publicId: string },
): z.infer<typeof RoleDetail> => ({ ...showRole(role), workspacePublicId: workspace.publicId });
