import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { rest } from "../../kernel/request/rest.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import { attempt } from "./deliver.ts";
import { TestPayload } from "./payload.ts";
import { secretsOf } from "./secrets.ts";

const TestResult = z
  .object({
    success: z.boolean(),
    statusCode: z.int().optional(),
    error: z.string().optional(),
  })
  .meta({ id: "WebhookTestResult" });

/** Sends a signed `webhook.test` event, waits for the answer and tells how it went; works on an inactive webhook too. */
export const testWebhook = externalMutation("webhook.test")
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}/test",
      "Send a test event to a webhook",
      "Sends a signed `webhook.test` event, waits for the answer and tells how it went. Takes no body and needs no content type.",
    ),
  )
  .output(TestResult)
  .mutation(async ({ ctx: { webhook, workspace, deps } }) => {
    const now = deps.clock();
    const { ok, statusCode, error } = await attempt(
      {
        url: webhook.url,
        secrets: secretsOf(deps.seal, webhook, now),
        id: publicId(),
        body: JSON.stringify(
          TestPayload.parse({
            type: "webhook.test",
            timestamp: iso(now),
            data: { webhook, workspace },
          }),
        ),
      },
      deps.outgoing,
    );
    return {
      success: ok,
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(error === undefined ? {} : { error }),
    };
  });
