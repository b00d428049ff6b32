import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../views/member-select.ts";
import { Member } from "../../contract/resources/members.ts";
import { viewMember } from "../views/members.ts";

/** One member of a workspace. */
export const getMember = query("member.get")
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Read a member",
      "One member with their role. The address is shown to those who may edit members, or to all when the workspace says so.",
    ),
  )
  .output(Member)
  .query(async ({ ctx: { workspace, member, membership, db } }) => {
    const row = await db.member.findUniqueOrThrow({
      where: { id: member.id },
      select: memberSelect,
    });
    return viewMember(row, workspace.showEmailsToMembers || membership.may.has("member:edit"));
  });
