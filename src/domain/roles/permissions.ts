import { z } from "zod";
import { Permissions, RoleName } from "../../contract/fields/shared.ts";
import { idOf } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showRole } from "../presenters/roles.ts";

const Rights = z
  .object({ rolePublicId: idOf("role"), name: RoleName, permissions: Permissions })
  .meta({ id: "RolePermissions", description: "The permissions of a role." });

/** Returns the permissions of a role. */
export const permissionsOfRole = query("role.permissions")
  .meta(
    rest("Permissions").get(
      "/workspaces/{workspacePublicId}/roles/{rolePublicId}/permissions",
      "Get a role's permissions",
      "Returns the permissions of a role, in the order of `permission.vocabulary`.",
    ),
  )
  .output(Rights)
  .query(({ ctx: { role } }) => {
    const { name, permissions } = showRole(role);
    return { rolePublicId: role.publicId, name, permissions };
  });
