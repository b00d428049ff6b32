import { z } from "zod";
import { HierarchyLevel, Permissions, RoleName, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Success } from "../vocabulary/texts.ts";
import { permissions } from "../vocabulary/permissions.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The name of a permission. */
export const PermissionName = z.enum(permissions).meta({
  examples: ["card:edit"],
  id: "Permission",
  description: "A permission: a kind of resource and what may be done with it.",
});

/** A role of a workspace with its permissions. */
export const Role = viewedWith(
  "member:view",
  z
    .object({
      publicId: idOf("role"),
      name: RoleName,
      description: z
        .string()
        .nullable()
        .meta({
          description: "The description, in Markdown. Null if there is none.",
          examples: ["Reads and comments"],
        }),
      hierarchyLevel: HierarchyLevel,
      isSystem: z.boolean().meta({
        description:
          "Whether this is a system role, which every workspace has and no one can delete.",
      }),
      permissions: Permissions,
      version: Version,
    })
    .meta({ id: "Role", description: "A role of a workspace with its permissions." }),
);

/** A role with its workspace. */
export const RoleDetail = viewedWith(
  "member:view",
  Role.extend({ workspacePublicId: idOf("workspace") }).meta({
    id: "RoleDetail",
    description: "A role with its workspace.",
  }),
);

/** A role after a change of its permissions. */
export const ChangedRole = viewedWith(
  "member:view",
  RoleDetail.extend(Success.shape).meta({
    id: "ChangedRole",
    description: "A role after a change of its permissions.",
  }),
);
