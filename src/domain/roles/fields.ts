import { z } from "zod";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { name, text } from "../../contract/vocabulary/fields.ts";
import { PermissionName } from "../../contract/resources/roles.ts";

/** The editable fields of a custom role. */
export const roleFields = {
  name: name(1, 64),
  description: text(0, 280).nullable(),
  hierarchyLevel: z.int().min(1).max(99),
};

/** The permissions of a new role. */
export const RolePermissions = z.array(PermissionName).max(permissions.length);
