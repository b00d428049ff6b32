import { mutation } from "../../kernel/procedures/mutation.ts";
import { sql } from "../../platform/db/sql.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockAssigned, removeFrom } from "./removal.ts";

/** Ends the caller's membership of a workspace. */
export const leaveWorkspace = mutation("member.leave", undefined, {
  beforeLock: ({ membership, tx }) => lockAssigned(tx, sql`m.id = ${membership.id}`),
})
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/leave",
      "Leave a workspace",
      "Removes the caller from a workspace. Any active member may leave. Returns 409 if the " +
        "caller is the last active admin.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { membership, tx } }) => {
    const where = { id: membership.id };
    await removeFrom(tx, await tx.prisma.member.findUniqueOrThrow({ where }));
    return success;
  });
