import { z } from "zod";
import { mayReach } from "../access/may.ts";
import { publicId } from "../db/public-id.ts";
import { rest } from "../http/rest.ts";
import { secretPurpose } from "./create.ts";
import { attempt } from "./deliver.ts";

const TestResult = z
  .object({
    success: z.boolean(),
    statusCode: z.int().optional(),
    error: z.string().optional(),
  })
  .meta({ id: "WebhookTestResult" });

/** Sends a signed `webhook.test` event, waits for the answer and tells how it went; works on an inactive webhook too. */
export const testWebhook = mayReach("webhook.test")
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
    const { previousSecret, previousSecretExpiresAt } = webhook;
    const overlaps = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
    const sealed = [
      webhook.secret,
      ...(previousSecret !== null && overlaps ? [previousSecret] : []),
    ];
    const { ok, statusCode, error } = await attempt(
      {
        url: webhook.url,
        secrets: sealed.map((secret) => deps.seal.open(secretPurpose, secret)),
        id: publicId(),
        body: JSON.stringify({
          type: "webhook.test",
          timestamp: now.toISOString(),
          data: {
            webhook: { publicId: webhook.publicId, name: webhook.name },
            workspace: { publicId: workspace.publicId, name: workspace.name },
          },
        }),
      },
      deps.outgoing,
    );
    return {
      success: ok,
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(error === undefined ? {} : { error }),
    };
  });
