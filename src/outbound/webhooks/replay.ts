import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { Moment } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { listens } from "./fan-out.ts";
import { checkActive, queueAgain } from "./requeue.ts";

/** How many events one call replays at most. */
const most = 10_000;

const Range = z.strictObject({
  since: Moment,
  until: Moment.meta({ description: "Absent: now." }).optional(),
  onlyFailed: z
    .boolean()
    .default(false)
    .meta({ description: "Only events whose latest delivery to this webhook has failed." }),
});

const range = `"createdAt" >= $2::timestamptz AND ($3::timestamptz IS NULL OR e."createdAt" < $3::timestamptz)`;
const all = `SELECT e.id FROM webhooks w LEFT JOIN boards b ON b.id = w."boardId"
  JOIN events e ON e."workspaceId" = w."workspaceId" AND ${listens}
  WHERE w.id = $1 AND e.${range} ORDER BY e.id LIMIT ${most + 1}`;
const failed = `SELECT e.id FROM events e WHERE e.id IN (SELECT "eventId" FROM deliveries WHERE "webhookId" = $1 AND status = 'failed')
    AND e.${range} AND (SELECT d.status FROM deliveries d WHERE d."webhookId" = $1 AND d."eventId" = e.id ORDER BY d.id DESC LIMIT 1) = 'failed'
  ORDER BY e.id LIMIT ${most + 1}`;

/** Sends the events of a range of time to a webhook once more, also those that it was not told of; what still waits is not queued twice. */
export const replay = mutation("webhook.replay", Range)
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/replay",
      "Send the events of some time once more",
      `Queues every event since then that the webhook listens to now, oldest first, with its own \`webhook-id\`; also what happened before it was added or while it was switched off. What still waits is not queued twice, so the same call again is safe. 409 for more than ${most.toLocaleString("en")} events, or a webhook that is not active.`,
    ),
  )
  .output(z.object({ queued: z.int() }).meta({ id: "Replay" }))
  .mutation(async ({ ctx: { webhook, tx }, input: { since, until, onlyFailed } }) => {
    const [from, to] = [new Date(since), until === undefined ? null : new Date(until)];
    if (to !== null && to <= from) throw badRequest("Must be later than `since`.", ["until"]);
    checkActive(webhook);
    const values = [webhook.id, from, to];
    const found = await tx.query<{ id: bigint }>(onlyFailed ? failed : all, values);
    if (found.length > most) {
      throw conflict(`These are more than ${most} events: take a shorter range.`, ["since"]);
    }
    const ids = found.map(({ id }) => id);
    return { queued: ids.length === 0 ? 0 : await queueAgain(tx, webhook, ids) };
  });
