import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { notFound } from "../../platform/errors.ts";
import { PublicId, Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";

/** Ends one of the caller's sessions, with its access tokens. */
export const revokeSession = mayWrite(
  "auth.revokeSession",
  z.strictObject({ sessionPublicId: PublicId }),
)
  .meta(
    rest("Auth").delete(
      "/auth/sessions/{sessionPublicId}",
      "End a session",
      "Ends one of the caller's sessions; its access token stops working too.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, work }, input }) => {
    const { count } = await work.tx.session.updateMany({
      where: {
        publicId: input.sessionPublicId,
        userId: caller.userId,
        revokedAt: null,
        expiresAt: { gt: work.now },
      },
      data: { revokedAt: work.now },
    });
    if (count === 0) throw notFound("session");
    return success;
  });
