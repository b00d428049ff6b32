import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { badRequest, notFound } from "../../platform/errors.ts";
import { name, PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { checkTarget } from "../../platform/http/address-guard.ts";
import { EventPatterns } from "./pattern.ts";
import { sealed } from "./secrets.ts";
import { isSecret, makeSecret } from "./sign.ts";
import { viewWebhook } from "../../domain/views/webhooks.ts";
import { Webhook } from "../../contract/resources/webhooks.ts";

const NewWebhook = z.strictObject({
  name: name(1, 255),
  url: z.string().min(1).max(2048),
  events: EventPatterns,
  boardPublicId: PublicId.optional(),
  secret: z
    .string()
    .max(200)
    .refine(isSecret, "Must be whsec_ and the base64 of 24 to 64 bytes")
    .optional(),
});
const Created = Webhook.extend({ secret: z.string() }).meta({ id: "NewWebhook" });

/** Adds a webhook; the secret that signs its deliveries is shown this once. */
export const createWebhook = externalMutation("webhook.create", NewWebhook)
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks",
      "Add a webhook",
      "Adds a target for a workspace's events, or for those of one board. Without a `secret` one is made; it signs the deliveries and is shown this once.",
    ),
  )
  .output(Created)
  .mutation(async ({ ctx: { workspace, caller, deps, transact }, input }) => {
    const target = await checkTarget(input.url, deps.outgoing.policy, deps.outgoing.resolve);
    if ("refusal" in target) throw badRequest(target.refusal, ["url"]);
    const secret = input.secret ?? makeSecret();
    return transact(async (tx) => {
      await tx.lock("workspaces", [workspace.id]);
      await checkLimit(tx, "webhooks", workspace.id);
      const board =
        input.boardPublicId === undefined
          ? null
          : await tx.prisma.board.findFirst({
              where: { publicId: input.boardPublicId, workspaceId: workspace.id, deletedAt: null },
            });
      if (board === null && input.boardPublicId !== undefined) throw notFound("board");
      const webhook = await tx.prisma.webhook.create({
        data: {
          publicId: publicId(),
          workspaceId: workspace.id,
          boardId: board?.id ?? null,
          name: input.name,
          url: input.url,
          events: input.events,
          secret: sealed(deps.seal, secret),
          createdById: caller.userId,
          createdAt: tx.now,
          updatedAt: tx.now,
        },
      });
      const shown = viewWebhook(webhook, board);
      tx.emit("webhook.created", { webhook: shown });
      return { ...shown, secret };
    });
  });
