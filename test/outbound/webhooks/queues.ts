import type { FairShare } from "../../../src/outbound/webhooks/dispatch/fair-share.ts";
import { WebhookQueue } from "../../../src/outbound/webhooks/dispatch/webhook-queue.ts";

/** A queue with many deliveries. */
export function queueOf(webhookId: bigint, workspaceId: bigint, host: string, isProven: boolean) {
  const queue = new WebhookQueue({ webhookId, workspaceId });
  for (let id = 0n; id < 20n; id++) {
    queue.add({
      id: webhookId * 100n + id,
      webhookId,
      workspaceId,
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
export function fill(share: FairShare, queues: WebhookQueue[]) {
  for (let queue = share.next(queues); queue !== undefined; queue = share.next(queues)) {
    queue.start();
    share.start(queue);
  }
  return queues.map(({ inFlight }) => inFlight);
}
