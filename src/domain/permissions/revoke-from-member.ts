import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { PermissionName } from "../../contract/resources/roles.ts";
import { override } from "./override.ts";

const Revocation = z.strictObject({ permission: PermissionName });

/** Takes a permission from a member, whatever their role says; in force from their next call. */
export const revokeFromMember = mutation("permission.revokeFromMember", Revocation)
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions/revoke",
      "Take a permission from a member",
      "Takes a permission from one member, whatever their role says; in force from their next call. The last active admin cannot lose `workspace:manage`.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    await override(ctx, input.permission, false);
    return success;
  });
