import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import {
  Delivery,
  selectDeliveries,
  statuses,
  viewDelivery,
  type DeliveryRow,
} from "./delivery-view.ts";
import { EventType } from "./pattern.ts";

const Filter = Page.extend({
  status: z.enum(statuses).meta({ description: "Only those of which this became." }).optional(),
  type: EventType.meta({ description: "Only those of this type of event." }).optional(),
});

const statement = `${selectDeliveries} AND ($2::bigint IS NULL OR d.id < $2) AND ($3::text IS NULL OR d.status = $3::"DeliveryStatus")
  AND ($4::text IS NULL OR d.type = $4) ORDER BY d.id DESC LIMIT $5`;

/** What was sent to a webhook, or is about to be; latest first. */
export const listDeliveries = query("webhook.deliveries", Filter)
  .meta(
    rest("Webhooks").get(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/deliveries",
      "List what was sent to a webhook",
      "Every delivery, latest first: one an event, with what became of it so far. They are kept for as long as events are.",
    ),
  )
  .output(pageOf(Delivery))
  .query(async ({ ctx: { webhook, db, deps }, input: { status, type, cursor, limit } }) => {
    const pages = pagesById(deps.seal, `deliveries of ${webhook.id}`);
    const values = [webhook.id, pages.after(cursor) ?? null, status ?? null, type ?? null];
    const rows = await db.query<DeliveryRow>(statement, [...values, limit + 1]);
    return pages.page(rows, limit, viewDelivery);
  });
