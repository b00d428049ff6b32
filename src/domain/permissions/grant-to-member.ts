import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changedPermissions } from "./member-permissions.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ChangedPermissions } from "../../contract/resources/members.ts";
import { PermissionName } from "../../contract/resources/roles.ts";
import { override } from "./override.ts";

const Grant = z.strictObject({ permission: PermissionName });

/** Grants a permission to a member, in addition to their role. */
export const grantToMember = mutation("permission.grantToMember", Grant)
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions/grant",
      "Grant a permission to a member",
      "Grants a permission to a member in addition to their role. The permission takes effect " +
        "with the member's next call. The caller must hold the permission, and their role must " +
        "rank above the member's role (admins: at least equal). Callers cannot grant " +
        "permissions to themselves.",
    ),
  )
  .output(ChangedPermissions)
  .mutation(async ({ ctx, input }) => {
    const { member, workspace, tx } = ctx;
    await override(ctx, input.permission, true);
    return changedPermissions(tx.query, member, workspace);
  });
