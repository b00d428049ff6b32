import type { Webhook } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { newPublicId } from "../notifications/fan-out.ts";

const insert = `INSERT INTO deliveries ("publicId", "workspaceId", "webhookId", "eventId", type, "nextAttemptAt", "createdAt")
  SELECT ${newPublicId("e.id")}, $2::bigint, $1::bigint, e.id, e.type, $4::timestamptz, $4::timestamptz FROM events e
  WHERE e.id = ANY ($3::bigint[]) AND NOT EXISTS (
    SELECT 1 FROM deliveries d WHERE d."webhookId" = $1 AND d."eventId" = e.id AND d.status = 'pending')
  ORDER BY e.id RETURNING id`;

/** Queues events for a webhook, which is locked, unless they wait for it already; answers how many those were. */
export async function queueAgain(
  tx: UnitOfWork<never>,
  webhook: Webhook,
  eventIds: bigint[],
): Promise<number> {
  const values = [webhook.id, webhook.workspaceId, eventIds, tx.now];
  const queued = await tx.query(insert, values);
  // So that whoever delivers is woken.
  tx.changedWorkspaces.add(webhook.workspaceId);
  return queued.length;
}

/** 409 for a webhook to which nothing is sent. */
export function checkActive({ active }: Webhook): void {
  if (!active) throw conflict("The webhook is not active: switch it on first.");
}
