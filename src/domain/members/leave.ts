import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { removeFrom } from "./removal.ts";
import { sql } from "../../platform/db/sql.ts";

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
      const { id } = ctx.membership;
      await tx.query(sql`SELECT 1 FROM members WHERE id = ${id} FOR NO KEY UPDATE`);
      await ctx.lockTarget(tx);
      const where = { id };
      await removeFrom(tx, await tx.prisma.member.findUniqueOrThrow({ where }));
      return success;
    }),
  );
