import { mayReach } from "../../kernel/procedures.ts";
import { permit } from "../../kernel/access/authorize.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { removeFrom } from "./removal.ts";

/** Leaves a workspace. */
export const leaveWorkspace = mayReach("member.leave")
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/leave",
      "Leave a workspace",
      "The last active admin cannot leave.",
    ),
  )
  .output(Success)
  // Not `mayWrite`, which locks the workspace first: its members come before it.
  .mutation(({ ctx, input: { workspacePublicId } }) =>
    ctx.transact(async (work) => {
      const lock = `SELECT 1 FROM members WHERE id = $1 FOR NO KEY UPDATE`;
      await work.query(lock, [ctx.standing.id]);
      const again = { name: "member.leave", input: { workspacePublicId } } as const;
      await permit(work.query, ctx, { ...again, writes: true, lock: true });
      const where = { id: ctx.standing.id };
      await removeFrom(work, await work.tx.member.findUniqueOrThrow({ where }));
      return success;
    }),
  );
