import { z } from "zod";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { name, text } from "../../contract/vocabulary/fields.ts";
import { PermissionName } from "../../contract/resources/roles.ts";

/** The editable fields of a custom role. */
export const roleFields = {
  name: name(1, 64).meta({ description: "The name of the role.", examples: ["reviewer"] }),
  description: text(0, 280)
    .nullable()
    .meta({
      description: "The description, in Markdown. Null if there is none.",
      examples: ["Reads and comments"],
    }),
  hierarchyLevel: z
    .int()
    .min(1)
    .max(99)
    .meta({
      description:
        "The rank from 1 to 99 (`admin` 100). Roles rank above those with a lower level.",
      examples: [40],
    }),
};

/** The permissions of a new role. */
export const RolePermissions = z.array(PermissionName).max(permissions.length);
