import { inputId } from "../../contract/vocabulary/ids.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Delivery, DeliveryStatus, listPage, viewDelivery } from "./delivery-view.ts";
import { findWebhook } from "./operator-find.ts";

const Filter = Page.extend({
  webhookPublicId: inputId("webhook"),
  status: DeliveryStatus.meta({
    description: "Only deliveries with this status.",
    examples: ["failed"],
  }).optional(),
});

/** Lists the deliveries of any webhook, newest first. */
export const listAnyDeliveries = query("operator.deliveries", Filter)
  .meta(
    rest("Operator").get(
      "/operator/webhooks/{webhookPublicId}/deliveries",
      "List the deliveries of any webhook",
      "Returns the deliveries of a webhook of any workspace, newest first, without what they " +
        "contain.",
    ),
  )
  .output(pageOf(Delivery))
  .query(async ({ ctx: { db, deps }, input: { webhookPublicId, cursor, limit, status } }) => {
    const { id } = await findWebhook(db.query, webhookPublicId);
    const pages = pagesById(deps.seal, `deliveries of ${id}`);
    const beforeId = pages.after(cursor);
    const rows = await listPage(db.query, id, { status, beforeId, limit: limit + 1 });
    return pages.page(rows, limit, viewDelivery);
  });
