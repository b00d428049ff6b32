import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { PermissionName } from "../../contract/resources/roles.ts";
import { override } from "./override.ts";

const Revocation = z.strictObject({ permission: PermissionName });

/** Revokes a permission from a member, regardless of their role. */
export const revokeFromMember = mutation("permission.revokeFromMember", Revocation)
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions/revoke",
      "Revoke a permission from a member",
      "Revokes a permission from a member, even if their role has it. The change takes effect " +
        "with the member's next call. The last active admin keeps `workspace:manage`, " +
        "`member:edit` and `member:view`.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    await override(ctx, input.permission, false);
    return success;
  });
