import { externalMutation } from "../../kernel/procedures.ts";
import { authorize } from "../../kernel/access/authorize.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { removeFrom } from "./removal.ts";

/** Ends the caller's membership of a workspace. */
export const leaveWorkspace = externalMutation("member.leave")
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/leave",
      "Leave a workspace",
      "The caller loses all access. The last active admin gets 409.",
    ),
  )
  .output(Success)
  // Not `mutation`: it locks the workspace first, but members must be locked before it.
  .mutation(({ ctx, input: { workspacePublicId } }) =>
    ctx.transact(async (tx) => {
      const lock = `SELECT 1 FROM members WHERE id = $1 FOR NO KEY UPDATE`;
      await tx.query(lock, [ctx.membership.id]);
      const again = { name: "member.leave", input: { workspacePublicId } } as const;
      await authorize(tx.query, ctx, { ...again, writes: true, lock: true });
      const where = { id: ctx.membership.id };
      await removeFrom(tx, await tx.prisma.member.findUniqueOrThrow({ where }));
      return success;
    }),
  );
