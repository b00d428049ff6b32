import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { rest } from "../../kernel/request/rest.ts";

const Mine = z
  .object({ role: z.string(), permissions: z.array(z.string()) })
  .meta({ id: "MyPermissions" });

/** What the caller may do in a workspace, with the credential that they came with. */
export const myPermissions = query("permission.mine")
  .meta(
    rest("Permissions").get(
      "/workspaces/{workspacePublicId}/permissions/me",
      "Read what I may do",
      "The caller's role and permissions; for an API key, as far as it reaches.",
    ),
  )
  .output(Mine)
  .query(({ ctx: { membership } }) => ({
    role: membership.role,
    permissions: permissions.filter((permission) => membership.may.has(permission)),
  }));
