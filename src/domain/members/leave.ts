import { externalMutation } from "../../kernel/procedures.ts";
import { authorize } from "../../kernel/access/authorize.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { removeFrom } from "./removal.ts";
import { sql } from "../../platform/db/sql.ts";

/** Leaves a workspace. */
export const leaveWorkspace = externalMutation("member.leave")
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
    ctx.transact(async (tx) => {
      const lock = (id: bigint) => sql`SELECT 1 FROM members WHERE id = ${id} FOR NO KEY UPDATE`;
      await tx.query(lock(ctx.membership.id));
      const again = { name: "member.leave", input: { workspacePublicId } } as const;
      await authorize(tx.query, ctx, { ...again, writes: true, lock: true });
      const where = { id: ctx.membership.id };
      await removeFrom(tx, await tx.prisma.member.findUniqueOrThrow({ where }));
      return success;
    }),
  );
