import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import type { Workspace } from "../../support/make.ts";
import type { WebhookScheduler } from "../../../src/outbound/webhooks/dispatch/webhook-scheduler.ts";
import { WebhookQueue } from "../../../src/outbound/webhooks/dispatch/webhook-queue.ts";

/** A queue with many deliveries. */
export function queueOf(
  webhookId: bigint,
  workspaceId: bigint,
  host: string,
  isProven: boolean,
  accountId = workspaceId,
) {
  const queue = new WebhookQueue({ webhookId, workspaceId, accountId });
  for (let id = 0n; id < 20n; id++) {
    queue.add({
      id: webhookId * 100n + id,
      webhookId,
      workspaceId,
      accountId,
      isProven,
      url: `https://${host}/`,
      type: "card.created",
      createdAt: new Date(),
      data: {},
      changes: null,
      workspacePublicId: "w",
      boardPublicId: null,
      actorType: "user",
      actorPublicId: null,
      actorName: "A",
      secret: "",
      previousSecret: null,
      previousSecretExpiresAt: null,
      attemptCount: 0,
      isSendable: true,
      isLastAttempt: false,
      eventPublicId: "e",
    });
  }
  return queue;
}

/** Starts attempts until no queue may start another; returns how many each queue has. */
export function fill(share: WebhookScheduler, queues: WebhookQueue[]) {
  for (let queue = share.next(queues); queue !== undefined; queue = share.next(queues)) {
    queue.start();
    share.start(queue);
  }
  return queues.map(({ inFlight }) => inFlight);
}

/** Adds webhooks that each wait with a delivery of the newest event; the API would need minutes. */
export const crowdWebhooks = ({ db }: App, { publicId }: Workspace, count: number) =>
  db.write(sql`WITH home AS (SELECT id FROM workspaces WHERE "publicId" = ${publicId}),
    added AS (
      INSERT INTO webhooks ("publicId", "workspaceId", name, url, events, secret)
      SELECT 'crowd' || n, home.id, 'Hook', 'http://127.0.0.1:9/', '{card.*}', ''
      FROM home, generate_series(1, ${count}::int) AS n RETURNING id, "workspaceId"),
    newest AS (SELECT max(e.id) AS id FROM events e JOIN home ON home.id = e."workspaceId")
    INSERT INTO deliveries ("publicId", "workspaceId", "webhookId", "eventId", type)
    SELECT 'crowd' || a.id, a."workspaceId", a.id, newest.id, 'card.created' FROM added a, newest`);
