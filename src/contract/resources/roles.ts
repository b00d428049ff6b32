import { z } from "zod";
import { Success } from "../vocabulary/fields.ts";
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

/** A role with its workspace. */
export const RoleDetail = viewedWith(
  "member:view",
  Role.extend({ workspacePublicId: z.string() }).meta({ id: "RoleDetail" }),
);

/** A role after a change of its permissions. */
export const ChangedRole = viewedWith(
  "member:view",
  RoleDetail.extend(Success.shape).meta({ id: "ChangedRole" }),
);
