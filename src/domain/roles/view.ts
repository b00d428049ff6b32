import { z } from "zod";
import { permissions } from "../../contract/permissions.ts";
import type { Role as RoleRow } from "../../platform/db/rows.ts";

/** The name of a right. */
export const PermissionName = z.enum(permissions).meta({ id: "Permission" });

/** A role of a workspace with its rights. */
export const Role = z
  .object({
    publicId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    hierarchyLevel: z.int(),
    isSystem: z.boolean(),
    permissions: z.array(z.string()),
    version: z.int(),
  })
  .meta({ id: "Role" });

/** Shows a role's row. */
export const viewRole = (role: RoleRow): z.infer<typeof Role> => ({
  publicId: role.publicId,
  name: role.name,
  description: role.description,
  hierarchyLevel: role.hierarchyLevel,
  isSystem: role.isSystem,
  permissions: permissions.filter((permission) => role.permissions.includes(permission)),
  version: role.version,
});
