import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { PermissionName } from "../../contract/resources/roles.ts";
import { override } from "./override.ts";

const Grant = z.strictObject({ permission: PermissionName });

/** Gives a member a permission, whatever their role says; in force from their next call. */
export const grantToMember = mutation("permission.grantToMember", Grant)
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions/grant",
      "Give a member a permission",
      "Needs a role above the member's own (admins: at least equal), and the permission itself. Nobody grants to themselves.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    await override(ctx, input.permission, true);
    return success;
  });
