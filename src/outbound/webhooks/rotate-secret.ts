import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sealed } from "./secrets.ts";
import { makeSecret } from "./sign.ts";
import { viewWebhook } from "../../domain/views/webhooks.ts";

const hourMs = 60 * 60_000;
const Overlap = z.strictObject({
  overlapHours: z
    .int()
    .min(0)
    .max(72)
    .default(24)
    .meta({ description: "For how long the secret that there was signs as well." }),
});
const Rotated = z
  .object({ secret: z.string(), previousSecretExpiresAt: Timestamp })
  .meta({ id: "RotatedSecret" });

/** Gives a webhook another secret, shown this once; the one before signs beside it for a while, so that its receiver may change at leisure. */
export const rotateSecret = mutation("webhook.rotateSecret", Overlap)
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/rotate-secret",
      "Give a webhook another secret",
      "Makes a secret, which is shown this once. Until `previousSecretExpiresAt` everything is signed with both; a secret that was replaced before ends at once.",
    ),
  )
  .output(Rotated)
  .mutation(async ({ ctx: { webhook, tx, deps }, input: { overlapHours } }) => {
    const secret = makeSecret();
    const previousSecretExpiresAt = new Date(tx.now.getTime() + overlapHours * hourMs);
    const after = await tx.prisma.webhook.update({
      where: { id: webhook.id },
      data: {
        secret: sealed(deps.seal, secret),
        previousSecret: overlapHours === 0 ? null : webhook.secret,
        previousSecretExpiresAt,
        version: { increment: 1 },
        updatedAt: tx.now,
      },
      include: { board: true },
    });
    tx.emit("webhook.secret_rotated", { webhook: viewWebhook(after, after.board) });
    return { secret, previousSecretExpiresAt: iso(previousSecretExpiresAt) };
  });
