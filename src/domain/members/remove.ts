import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mayWrite } from "../../kernel/procedures.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { removeFrom } from "./removal.ts";

/** Takes a member out of a workspace. */
export const removeMember = mayWrite("member.remove")
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Remove a member",
      "Nothing is left of their rights, not even over what they created; what they wrote stays. The last active admin cannot be removed.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { member, standing, work } }) => {
    const role = await work.tx.role.findUniqueOrThrow({ where: { id: member.roleId } });
    if (member.id !== standing.id) checkAbove(standing, role.hierarchyLevel);
    await removeFrom(work, member);
    return success;
  });
