import { z } from "zod";
import { Webhook } from "../../contract/resources/webhooks.ts";
import { showWebhook } from "../../domain/presenters/webhooks.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Lists the webhooks of a workspace, oldest first. */
export const listWebhooks = query("webhook.list")
  .meta(
    rest("Webhooks").get(
      "/workspaces/{workspacePublicId}/webhooks",
      "List webhooks",
      "Returns the webhooks of a workspace, oldest first, without their secrets.",
    ),
  )
  .output(z.array(Webhook))
  .query(async ({ ctx: { workspace, db } }) => {
    const rows = await db.webhook.findMany({
      where: { workspaceId: workspace.id, deletedAt: null },
      orderBy: { id: "asc" },
      include: { board: { select: { publicId: true } } },
    });
    return rows.map((row) => showWebhook(row, row.board));
  });
