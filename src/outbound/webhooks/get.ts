import { WebhookDetail } from "../../contract/resources/webhooks.ts";
import { isoOrNull, Timestamp } from "../../contract/vocabulary/texts.ts";
import { showWebhookDetail } from "../../domain/presenters/webhooks.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { z } from "zod";

const WebhookHealth = WebhookDetail.extend({
  lastSuccessAt: Timestamp.nullable().meta({
    description: "When a delivery last succeeded, in UTC. Null if none has.",
    examples: ["2026-02-02T08:15:00.000Z"],
  }),
  lastFailureAt: Timestamp.nullable().meta({
    description: "When an attempt last failed, in UTC. Null if none has.",
    examples: [null],
  }),
  failingSince: Timestamp.nullable().meta({
    description: "Since when every attempt has failed, in UTC. Null if the webhook is not failing.",
    examples: [null],
  }),
  pendingCount: z.int().meta({
    description: "The number of deliveries that are waiting for an attempt.",
    examples: [0],
  }),
}).meta({ id: "WebhookHealth", description: "A webhook with the results of its deliveries." });

/** Returns a webhook with its health. */
export const getWebhook = query("webhook.get")
  .meta(
    rest("Webhooks").get(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
      "Get a webhook",
      "Returns a webhook with its last success and failure, since when it has been failing, and " +
        "the number of pending deliveries.",
    ),
  )
  .output(WebhookHealth)
  .query(async ({ ctx: { webhook, workspace, db } }) => {
    const board =
      webhook.boardId === null
        ? null
        : await db.board.findUnique({
            where: { id: webhook.boardId },
            select: { publicId: true },
          });
    return {
      ...showWebhookDetail(webhook, board, workspace),
      lastSuccessAt: isoOrNull(webhook.lastSuccessAt),
      lastFailureAt: isoOrNull(webhook.lastFailureAt),
      failingSince: isoOrNull(webhook.failingSince),
      pendingCount: await db.delivery.count({
        where: { webhookId: webhook.id, status: "pending" },
      }),
    };
  });
