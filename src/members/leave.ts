import { mayWrite } from "../access/may.ts";
import { success, Success } from "../fields.ts";
import { rest } from "../http/rest.ts";
import { removeFrom } from "./removal.ts";

/** Leaves a workspace. */
export const leaveWorkspace = mayWrite("member.leave")
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/leave",
      "Leave a workspace",
      "The last active admin cannot leave.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { standing, work } }) => {
    const member = await work.tx.member.findUniqueOrThrow({ where: { id: standing.id } });
    await removeFrom(work, member);
    return success;
  });
