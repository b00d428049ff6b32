import { mayWrite } from "../../kernel/procedures.ts";
import { Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";

/** Ends the session that is calling, with its access tokens. */
export const logout = mayWrite("auth.logout")
  .meta(
    rest("Auth").post(
      "/auth/logout",
      "Sign out",
      "Ends the session that is calling; its access token stops working too.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, work } }) => {
    if (caller.sessionId !== null) {
      await work.tx.session.update({
        where: { id: caller.sessionId },
        data: { revokedAt: work.now },
      });
    }
    return success;
  });
