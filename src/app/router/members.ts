import { router } from "../../kernel/request/trpc.ts";
import { getMember } from "../../domain/members/get.ts";
import { inviteMember } from "../../domain/members/invite.ts";
import { leaveWorkspace } from "../../domain/members/leave.ts";
import { listMembers } from "../../domain/members/list.ts";
import { removeMember } from "../../domain/members/remove.ts";
import { updateMemberRole } from "../../domain/members/update-role.ts";

/** Members of a workspace. */
export const members = router({
  list: listMembers,
  get: getMember,
  invite: inviteMember,
  updateRole: updateMemberRole,
  remove: removeMember,
  leave: leaveWorkspace,
});
