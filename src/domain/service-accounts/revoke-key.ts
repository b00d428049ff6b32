import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { notFound } from "../../platform/errors.ts";
import { findServiceAccount } from "./find.ts";

/** Revokes a key of a service account. */
export const revokeServiceAccountKey = mutation(
  "serviceAccount.revokeKey",
  z.strictObject({ apiKeyPublicId: inputId("apiKey") }),
)
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/service-accounts/{memberPublicId}/keys/{apiKeyPublicId}",
      "Revoke a service account key",
      "Revokes an API key of a service account. It stops working at once.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { member, tx }, input }) => {
    const account = await findServiceAccount(tx.query, member);
    const { count } = await tx.prisma.apiKey.updateMany({
      where: { publicId: input.apiKeyPublicId, userId: account.id, revokedAt: null },
      data: { revokedAt: tx.now },
    });
    if (count === 0) throw notFound("apiKey");
    return success;
  });
