import { z } from "zod";
import { Moment } from "../../contract/vocabulary/texts.ts";
import { startOfLog } from "../../kernel/events/log.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { receives, checkActive, queueEvents } from "./queue-events.ts";

/** How many events one call can queue. */
const maxEvents = 10_000;

const Range = z.strictObject({
  since: Moment.meta({
    description: "The start of the range.",
    examples: ["2026-01-31T10:00:00.000Z"],
  }),
  until: Moment.meta({
    examples: ["2026-02-01T10:00:00.000Z"],
    description: "The end of the range; absent for now.",
  }).optional(),
  onlyFailed: z
    .boolean()
    .default(false)
    .meta({
      examples: [true],
      description: "Only events whose latest delivery to this webhook failed.",
    }),
});

/** The events to send again: those of a webhook after a position, within a range of time. */
type Selection = { webhookId: bigint; after: bigint; from: Date; to: Date | null };

const inRange = ({ from, to }: Selection): Sql =>
  sql`e."createdAt" >= ${from}::timestamptz
    ${to === null ? sql.empty : sql`AND e."createdAt" < ${to}::timestamptz`}`;
const atMost = sql.number(maxEvents + 1);

// Starts at the position of `since`, so that earlier events are not read. Imported history has
// no number and is not sent.
const allEvents = (selection: Selection): Sql => sql`SELECT e.id FROM webhooks w
  LEFT JOIN boards b ON b.id = w."boardId"
  JOIN events e ON e."workspaceId" = w."workspaceId" AND ${receives}
  WHERE w.id = ${selection.webhookId}
    AND e.number > ${selection.after}::bigint
    AND ${inRange(selection)}
  ORDER BY e.number LIMIT ${atMost}`;

const failedEvents = (selection: Selection): Sql => sql`SELECT e.id FROM events e
  WHERE e.number > ${selection.after}::bigint
    AND e.id IN (SELECT "eventId" FROM deliveries
      WHERE "webhookId" = ${selection.webhookId} AND status = 'failed')
    AND ${inRange(selection)} AND (SELECT d.status FROM deliveries d
      WHERE d."webhookId" = ${selection.webhookId} AND d."eventId" = e.id
      ORDER BY d.id DESC LIMIT 1) = 'failed'
  ORDER BY e.id LIMIT ${atMost}`;

/** Sends the events of a time range to a webhook again, except pending ones. */
export const replayEvents = mutation("webhook.replay", Range)
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/replay",
      "Replay past events",
      "Sends the events of a period to a webhook again: all that match its patterns, oldest " +
        "first, with their `webhook-id`. Events from before the webhook was added or while it " +
        "was inactive are included. Pending events are not queued twice, so the call can be " +
        "repeated. " +
        `Returns 409 for more than ${maxEvents.toLocaleString("en")} events, or if the webhook is ` +
        "inactive.",
    ),
  )
  .output(
    z
      .object({
        queued: z.int().meta({ description: "How many events were queued.", examples: [12] }),
      })
      .meta({ id: "Replay", description: "The result of a replay." }),
  )
  .mutation(async ({ ctx: { webhook, tx }, input: { since, until, onlyFailed } }) => {
    const [from, to] = [new Date(since), until === undefined ? null : new Date(until)];
    if (to !== null && to <= from)
      throw badRequest("not_in_future", "Must be later than `since`.", ["until"]);
    checkActive(webhook);
    const { number: after } = await startOfLog(tx.query, webhook.workspaceId, from);
    const selection = { webhookId: webhook.id, after, from, to };
    const events = await tx.query<{ id: bigint }>(
      onlyFailed ? failedEvents(selection) : allEvents(selection),
    );
    if (events.length > maxEvents) {
      const limit = `The range has more than ${maxEvents} events. Use a shorter range.`;
      throw conflict("too_many_events", limit, ["since"]);
    }
    if (events.length === 0) return { queued: 0 };
    const eventIds = events.map(({ id }) => id);
    return { queued: await queueEvents(tx, webhook, eventIds) };
  });
