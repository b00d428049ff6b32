import { z } from "zod";
import { iso } from "../../contract/vocabulary/fields.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { TestPayload } from "./message/payload.ts";
import { openSecrets } from "./message/secrets.ts";
import { sendTest } from "./send-test.ts";

const TestResult = z
  .object({
    success: z.boolean(),
    statusCode: z.int().optional(),
    error: z.string().optional(),
  })
  .meta({ id: "WebhookTestResult" });

/** Sends a signed `webhook.test` event and returns the result of the request. */
export const testWebhook = externalMutation("webhook.test", undefined, { callsOut: true })
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/test",
      "Send a test event",
      "Sends a signed `webhook.test` event and waits for the response. `success` is true for " +
        "2xx only. Works on an inactive webhook. Needs no body and no content type.",
    ),
  )
  .output(TestResult)
  .mutation(async ({ ctx: { webhook, workspace, deps } }) => {
    const now = deps.clock();
    const payload = TestPayload.parse({
      type: "webhook.test",
      timestamp: iso(now),
      data: { webhook, workspace },
    });
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
