import { z } from "zod";
import { permissions } from "../vocabulary/permissions.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The name of a permission. */
export const PermissionName = z.enum(permissions).meta({ id: "Permission" });

/** A role of a workspace with its permissions. */
export const Role = viewedWith(
  "member:view",
  z
    .object({
      publicId: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      hierarchyLevel: z.int(),
      isSystem: z.boolean(),
      permissions: z.array(z.string()),
      version: z.int(),
    })
    .meta({ id: "Role" }),
);
