import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { notFound } from "../../platform/errors.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Revokes one of the caller's API keys. */
export const revokeApiKey = mutation(
  "auth.revokeApiKey",
  z.strictObject({ apiKeyPublicId: inputId("apiKey") }),
)
  .meta(
    rest("Auth").delete(
      "/auth/api-keys/{apiKeyPublicId}",
      "Revoke an API key",
      "Revokes one of the caller's API keys, or disconnects an app. It stops working at once.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx }, input }) => {
    const { count } = await tx.prisma.apiKey.updateMany({
      where: { publicId: input.apiKeyPublicId, userId: caller.userId, revokedAt: null },
      data: { revokedAt: tx.now },
    });
    if (count === 0) throw notFound("apiKey");
    return success;
  });
