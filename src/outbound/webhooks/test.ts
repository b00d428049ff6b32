import { z } from "zod";
import { iso } from "../../contract/vocabulary/texts.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { TestPayload } from "./message/payload.ts";
import { openSecrets } from "./message/secrets.ts";
import { setTimeout } from "node:timers/promises";
import type { Deps } from "../../kernel/request/deps.ts";
import { tooManyRequests } from "../../platform/errors.ts";
import { addressKeys } from "./dispatch/send.ts";
import { hostOf } from "./dispatch/webhook-queue.ts";
import { sendRequest, type RequestResult, type WebhookRequest } from "./message/request.ts";
import type { Config } from "../../platform/config.ts";
import type { HostLimits } from "../../platform/http/destination-shares.ts";

/** The limits of test events, as a part of those of deliveries; both count separately. */
const testShare = 1 / 4;

/** The limits of test events to one host. */
export const testLimits = (config: Config): HostLimits => ({
  hostConcurrency: Math.max(1, Math.floor(config.WEBHOOK_HOST_CONCURRENCY * testShare)),
  hostRate: Math.max(1, Math.floor(config.WEBHOOK_HOST_RATE * testShare)),
});

const maxWaitMs = 5_000;
const pollMs = 100;

/** Sends a test event when the limits of its host and addresses allow it; 429 after 5 s. */
async function sendTest(
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

const TestResult = z
  .object({
    success: z.boolean().meta({
      description: "Whether the receiver responded with a status of 2xx.",
      examples: [true],
    }),
    statusCode: z
      .int()
      .meta({
        description: "The HTTP status of the response. Null if there was none.",
        examples: [204],
      })
      .optional(),
    error: z.string().meta({ description: "Why it failed. Null if it did not fail." }).optional(),
  })
  .meta({ id: "WebhookTestResult", description: "The result of a test request." });

/** Sends a signed `webhook.test` event and returns the result of the request. */
export const testWebhook = externalMutation("webhook.test", undefined, { callsOut: true })
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/test",
      "Send a test event",
      "Sends a signed `webhook.test` event to a webhook and waits for the response. `success` is " +
        "true only for a status of 2xx. Inactive webhooks can be tested too. The request needs " +
        "no body and no content type.",
    ),
  )
  .output(TestResult)
  .mutation(async ({ ctx: { webhook, workspace, deps } }) => {
    const now = deps.clock();
    const payload = TestPayload.parse({
      type: "webhook.test",
      timestamp: iso(now),
      data: { webhook, workspace },
    } satisfies z.input<typeof TestPayload>);
    const request = {
      url: webhook.url,
      secrets: openSecrets(deps.seal, webhook, now),
      id: publicId(),
      body: JSON.stringify(payload),
    };
    const { ok, statusCode, error } = await sendTest(deps, request, webhook.workspaceId);
    return {
      success: ok,
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(error === undefined ? {} : { error }),
    };
  });
