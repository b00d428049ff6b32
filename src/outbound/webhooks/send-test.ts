import { setTimeout } from "node:timers/promises";
import type { Deps } from "../../kernel/request/deps.ts";
import { tooManyRequests } from "../../platform/errors.ts";
import { addressKeys } from "./dispatch/address-keys.ts";
import { hostOf } from "./dispatch/webhook-queue.ts";
import { sendRequest, type RequestResult, type WebhookRequest } from "./message/request.ts";

const maxWaitMs = 5_000;
const pollMs = 100;

/** Sends a test event when the limits of its host and addresses allow it; 429 after 5 s. */
export async function sendTest(
  { outgoing, webhookTests }: Pick<Deps, "outgoing" | "webhookTests">,
  request: WebhookRequest,
  workspaceId: bigint,
): Promise<RequestResult> {
  const host = hostOf(request.url);
  const startedAt = performance.now();
  while (performance.now() - startedAt < maxWaitMs) {
    const waitMs = webhookTests.waitMs(host);
    if (waitMs > 0 || !webhookTests.hasCapacity(host, workspaceId)) {
      await setTimeout(Math.max(pollMs, Math.min(waitMs, maxWaitMs)));
      continue;
    }
    const use = webhookTests.start(host, workspaceId);
    const admit = (receiver: { url: URL; addresses: string[] }) =>
      use.connect(addressKeys(receiver, outgoing.policy));
    const result = await sendRequest({ ...request, admit }, outgoing).finally(() => {
      use.end();
      webhookTests.forgetIdle();
    });
    if (result.isPostponed !== true) return result;
  }
  throw tooManyRequests(
    "target_at_limit",
    `${host} gets too many test events. Repeat the call in a few seconds.`,
    maxWaitMs / 1_000,
  );
}
