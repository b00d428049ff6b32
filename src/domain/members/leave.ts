import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { removeFrom } from "./removal.ts";

/** Ends the caller's membership of a workspace. */
export const leaveWorkspace = manualMutation("member.leave")
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/leave",
      "Leave a workspace",
      "The caller loses all access. The last active admin gets 409.",
    ),
  )
  .output(Success)
  // Not `mutation`, which locks the workspace first. Lock order: members before workspaces.
  .mutation(({ ctx }) =>
    ctx.transact(async (tx) => {
      const lock = `SELECT 1 FROM members WHERE id = $1 FOR NO KEY UPDATE`;
      await tx.query(lock, [ctx.membership.id]);
      await ctx.lockTarget(tx);
      const where = { id: ctx.membership.id };
      await removeFrom(tx, await tx.prisma.member.findUniqueOrThrow({ where }));
      return success;
    }),
  );
