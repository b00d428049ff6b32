import { z } from "zod";
import { Moment } from "../../contract/vocabulary/fields.ts";
import { startOfLog } from "../../kernel/events/log.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { receives } from "./fan-out.ts";
import { checkActive, queueEvents } from "./queue-events.ts";

/** How many events one call can queue. */
const maxEvents = 10_000;

const Range = z.strictObject({
  since: Moment,
  until: Moment.meta({ description: "The end of the range; absent for now." }).optional(),
  onlyFailed: z
    .boolean()
    .default(false)
    .meta({ description: "Only events whose latest delivery to this webhook failed." }),
});

const inRange = `e."createdAt" >= $2::timestamptz
  AND ($3::timestamptz IS NULL OR e."createdAt" < $3::timestamptz)`;

// Starts at the position of `since`, so that earlier events are not read. Imported history has
// transaction 0 and is not sent.
const allEvents = `SELECT e.id FROM webhooks w
  LEFT JOIN boards b ON b.id = w."boardId"
  JOIN events e ON e."workspaceId" = w."workspaceId" AND ${receives}
  WHERE w.id = $1 AND e."transactionId" >= greatest($4::bigint, 1) AND ${inRange}
  ORDER BY e."transactionId", e.id LIMIT ${maxEvents + 1}`;

const failedEvents = `SELECT e.id FROM events e
  WHERE e."transactionId" >= $4::bigint AND e.id IN (SELECT "eventId" FROM deliveries WHERE "webhookId" = $1 AND status = 'failed')
    AND ${inRange} AND (SELECT d.status FROM deliveries d
      WHERE d."webhookId" = $1 AND d."eventId" = e.id ORDER BY d.id DESC LIMIT 1) = 'failed'
  ORDER BY e.id LIMIT ${maxEvents + 1}`;

/** Sends the events of a time range to a webhook again, except pending ones. */
export const replay = mutation("webhook.replay", Range)
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/replay",
      "Send past events again",
      "Queues every event of the range that matches the webhook's patterns, oldest first, with " +
        "its `webhook-id`. This includes events from before the webhook was added or while it " +
        "was inactive. Pending events are not queued twice, so the call can be repeated. " +
        `409 for more than ${maxEvents.toLocaleString("en")} events or an inactive webhook.`,
    ),
  )
  .output(z.object({ queued: z.int() }).meta({ id: "Replay" }))
  .mutation(async ({ ctx: { webhook, tx }, input: { since, until, onlyFailed } }) => {
    const [from, to] = [new Date(since), until === undefined ? null : new Date(until)];
    if (to !== null && to <= from) throw badRequest("Must be later than `since`.", ["until"]);
    checkActive(webhook);
    const statement = onlyFailed ? failedEvents : allEvents;
    const start = await startOfLog(tx.query, webhook.workspaceId, from);
    const values = [webhook.id, from, to, start.transactionId];
    const found = await tx.query<{ id: bigint }>(statement, values);
    if (found.length > maxEvents) {
      const limit = `The range has more than ${maxEvents} events. Use a shorter range.`;
      throw conflict(limit, ["since"]);
    }
    if (found.length === 0) return { queued: 0 };
    const eventIds = found.map(({ id }) => id);
    return { queued: await queueEvents(tx, webhook, eventIds) };
  });
