import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { MemberDetail } from "../../contract/resources/members.ts";
import { showMemberDetail } from "../presenters/members.ts";

/** Returns one member of a workspace. */
export const getMember = query("member.get")
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Get a member",
      "Returns a member of a workspace with their role. `email` is null unless the caller has " +
        "`member:edit` or the workspace shows addresses.",
    ),
  )
  .output(MemberDetail)
  .query(async ({ ctx: { workspace, member, membership, db } }) => {
    const row = await db.member.findUniqueOrThrow({
      where: { id: member.id },
      select: memberSelect,
    });
    const showEmail = workspace.showEmailsToMembers || membership.may.has("member:edit");
    return showMemberDetail(row, workspace, showEmail);
  });
