import { z } from "zod";
import { WebhookSecret } from "../../contract/fields/shared.ts";
import { iso, Timestamp } from "../../contract/vocabulary/texts.ts";
import { WebhookDetail } from "../../contract/resources/webhooks.ts";
import { showWebhook, showWebhookDetail } from "../../domain/presenters/webhooks.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { SecretInput } from "./create.ts";
import { sealSecret } from "./message/secrets.ts";
import { makeSecret } from "./message/sign.ts";

const hourMs = 60 * 60_000;
const Rotation = z.strictObject({
  secret: SecretInput.optional(),
  overlapHours: z
    .int()
    .min(0)
    .max(72)
    .default(24)
    .meta({ examples: [24], description: "How many hours the previous secret signs as well." }),
});
const RotatedSecret = WebhookDetail.extend({
  secret: WebhookSecret,
  previousSecretExpiresAt: Timestamp.meta({
    description: "Until when deliveries are also signed with the previous secret, in UTC.",
    examples: ["2026-02-03T08:15:00.000Z"],
  }),
}).meta({ id: "RotatedSecret", description: "A webhook with its new secret." });

/** Replaces the secret of a webhook; the previous one signs as well until it expires. */
export const rotateSecret = mutation("webhook.rotateSecret", Rotation)
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/rotate-secret",
      "Rotate a webhook's secret",
      "Replaces the secret of a webhook by `secret`, or without it by one that the service " +
        "generates, and returns it once. Deliveries are signed with both " +
        "secrets until `previousSecretExpiresAt`. A secret that an earlier rotation replaced " +
        "stops working now.",
    ),
  )
  .output(RotatedSecret)
  .mutation(async ({ ctx: { webhook, workspace, tx, deps }, input }) => {
    const { overlapHours, secret = makeSecret() } = input;
    const previousSecretExpiresAt = new Date(tx.now.getTime() + overlapHours * hourMs);
    const after = await tx.prisma.webhook.update({
      where: { id: webhook.id },
      data: {
        secret: sealSecret(deps.seal, secret),
        previousSecret: overlapHours === 0 ? null : webhook.secret,
        previousSecretExpiresAt,
        version: { increment: 1 },
        updatedAt: tx.now,
      },
      include: { board: true },
    });
    tx.emit("webhook.secret_rotated", { webhook: showWebhook(after, after.board) });
    return {
      ...showWebhookDetail(after, after.board, workspace),
      secret,
      previousSecretExpiresAt: iso(previousSecretExpiresAt),
    };
  });
