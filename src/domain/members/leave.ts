import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { removeFrom } from "./removal.ts";

/** Ends the caller's membership of a workspace. */
export const leaveWorkspace = mutation("member.leave")
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/leave",
      "Leave a workspace",
      "The caller loses all access. The last active admin gets 409.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { membership, tx } }) => {
    await removeFrom(
      tx,
      await tx.prisma.member.findUniqueOrThrow({ where: { id: membership.id } }),
    );
    return success;
  });
