import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewRole } from "../views/roles.ts";

const Rights = z
  .object({ rolePublicId: z.string(), name: z.string(), permissions: z.array(z.string()) })
  .meta({ id: "RolePermissions" });

/** What a role holds. */
export const permissionsOfRole = query("role.permissions")
  .meta(
    rest("Permissions").get(
      "/workspaces/{workspacePublicId}/roles/{rolePublicId}/permissions",
      "Read what a role holds",
      "The permissions of a role, in the vocabulary's order.",
    ),
  )
  .output(Rights)
  .query(({ ctx: { role } }) => {
    const { name, permissions } = viewRole(role);
    return { rolePublicId: role.publicId, name, permissions };
  });
