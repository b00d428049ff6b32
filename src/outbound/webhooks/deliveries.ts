import { EventTypeName } from "../../contract/event-envelope.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Delivery, listPage, DeliveryStatus, viewDelivery } from "./delivery-view.ts";

const Filter = Page.extend({
  status: DeliveryStatus.meta({ description: "Only deliveries with this status." }).optional(),
  type: EventTypeName.meta({
    description: "Only deliveries of this event type.",
    examples: ["card.created"],
  }).optional(),
});

/** Lists the deliveries of a webhook, newest first. */
export const listDeliveries = query("webhook.deliveries", Filter)
  .meta(
    rest("Webhooks").get(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/deliveries",
      "List deliveries",
      "Returns the deliveries of a webhook, newest first. Deliveries are deleted after the " +
        "retention period of events (`EVENT_DAYS`).",
    ),
  )
  .output(pageOf(Delivery))
  .query(async ({ ctx: { webhook, db, deps }, input: { cursor, limit, ...filter } }) => {
    const pages = pagesById(deps.seal, `deliveries of ${webhook.id}`);
    const rows = await listPage(db.query, webhook.id, {
      ...filter,
      beforeId: pages.after(cursor),
      limit: limit + 1,
    });
    return pages.page(rows, limit, viewDelivery);
  });
