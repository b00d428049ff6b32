import { WebhookDetail } from "../../contract/resources/webhooks.ts";
import { isoOrNull, Timestamp } from "../../contract/vocabulary/fields.ts";
import { viewWebhookDetail } from "../../domain/views/webhooks.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { z } from "zod";

const WebhookHealth = WebhookDetail.extend({
  lastSuccessAt: Timestamp.nullable(),
  lastFailureAt: Timestamp.nullable(),
  failingSince: Timestamp.nullable(),
  pendingCount: z.int(),
}).meta({ id: "WebhookHealth" });

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
      ...viewWebhookDetail(webhook, board, workspace),
      lastSuccessAt: isoOrNull(webhook.lastSuccessAt),
      lastFailureAt: isoOrNull(webhook.lastFailureAt),
      failingSince: isoOrNull(webhook.failingSince),
      pendingCount: await db.delivery.count({
        where: { webhookId: webhook.id, status: "pending" },
      }),
    };
  });
