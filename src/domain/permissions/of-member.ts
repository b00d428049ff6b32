import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { MemberPermissions } from "../../contract/resources/members.ts";
import { memberPermissions } from "./member-permissions.ts";

/** Returns a member's role, effective permissions and overrides. */
export const permissionsOfMember = query("permission.ofMember")
  .meta(
    rest("Permissions").get(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions",
      "Get a member's permissions",
      "Returns a member's role, effective permissions, and overrides of the role.",
    ),
  )
  .output(MemberPermissions)
  .query(({ ctx: { member, db } }) => memberPermissions(db.query, member));
