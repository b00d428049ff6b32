import { mutation } from "../../kernel/procedures/mutation.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Revokes the current session and its access tokens. */
export const logout = mutation("auth.logout")
  .meta(
    rest("Auth").post(
      "/auth/logout",
      "Sign out",
      "Signs the caller out by revoking the current session. Its access token stops working at " +
        "once.",
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
