import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { notFound } from "../../platform/errors.ts";
import { PublicId, Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Ends one of the caller's sessions, with its access tokens. */
export const revokeSession = mutation(
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
  .mutation(async ({ ctx: { caller, tx }, input }) => {
    const { count } = await tx.prisma.session.updateMany({
      where: {
        publicId: input.sessionPublicId,
        userId: caller.userId,
        revokedAt: null,
        expiresAt: { gt: tx.now },
      },
      data: { revokedAt: tx.now },
    });
    if (count === 0) throw notFound("session");
    return success;
  });
