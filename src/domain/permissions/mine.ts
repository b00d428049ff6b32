import { z } from "zod";
import { MemberRole, Permissions } from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { rest } from "../../kernel/request/rest.ts";

const Mine = z.object({ role: MemberRole, permissions: Permissions }).meta({
  id: "MyPermissions",
  description: "The role of the caller, and the resulting permissions.",
});

/** Returns the caller's role and permissions in a workspace. */
export const myPermissions = query("permission.mine")
  .meta(
    rest("Permissions").get(
      "/workspaces/{workspacePublicId}/permissions/me",
      "Get your permissions",
      "Returns the caller's role and permissions in a workspace. Any active member may call it. " +
        "For an API key, the permissions are limited to its scope.",
    ),
  )
  .output(Mine)
  .query(({ ctx: { membership } }) => ({
    role: membership.role,
    permissions: permissions.filter((permission) => membership.may.has(permission)),
  }));
