import { router } from "../trpc.ts";
import { getMember } from "./get.ts";
import { inviteMember } from "./invite.ts";
import { leaveWorkspace } from "./leave.ts";
import { listMembers } from "./list.ts";
import { removeMember } from "./remove.ts";
import { updateMemberRole } from "./update-role.ts";

/** Members of a workspace. */
export const members = router({
  list: listMembers,
  get: getMember,
  invite: inviteMember,
  updateRole: updateMemberRole,
  remove: removeMember,
  leave: leaveWorkspace,
});
