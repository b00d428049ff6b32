import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { notFound } from "../../platform/errors.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Revokes one of the caller's sessions and its access tokens. */
export const revokeSession = mutation(
  "auth.revokeSession",
  z.strictObject({ sessionPublicId: inputId("session") }),
)
  .meta(
    rest("Auth").delete(
      "/auth/sessions/{sessionPublicId}",
      "Revoke a session",
      "Revokes one of the caller's sessions. Its access token stops working at once.",
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
