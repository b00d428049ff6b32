import { mutation } from "../../kernel/procedures/mutation.ts";
import { Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Ends the session that is calling, with its access tokens. */
export const logout = mutation("auth.logout")
  .meta(
    rest("Auth").post(
      "/auth/logout",
      "Sign out",
      "Ends the session that is calling; its access token stops working too.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx } }) => {
    if (caller.sessionId !== null) {
      await tx.prisma.session.update({
        where: { id: caller.sessionId },
        data: { revokedAt: tx.now },
      });
    }
    return success;
  });
