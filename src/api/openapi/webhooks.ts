import {
  describeEvents,
  describedTest,
  type DescribedEvent,
} from "../../outbound/webhooks/event-descriptions.ts";
import type { Json } from "../../kernel/schemas/values.ts";
import { schemaNameOf } from "../../contract/event-envelope.ts";
import { repeatedFields } from "../../outbound/webhooks/message/payload.ts";
import { headerParameter } from "./headers.ts";
import { refTo, tidy } from "../../kernel/schemas/schema.ts";

const headers = ["WebhookId", "WebhookTimestamp", "WebhookSignature"] as const;

const responses = {
  "2XX": { description: "Received." },
  "410": { description: "Gone: the webhook is disabled." },
  default: { description: "The delivery is retried later." },
};

/** The tag of the requests that the service sends. */
export const webhookTag = { "Incoming webhooks": "Requests that the service sends to webhooks." };

const test = "webhook.test";

/** An example as the feed shows it, without the fields that `data` repeats for webhooks. */
function withoutRepeated(example: Json): Json {
  if (!isRecord(example) || !isRecord(example["data"])) return example;
  const own = Object.entries(example["data"]).filter(([field]) => !repeatedFields.has(field));
  return { ...example, data: Object.fromEntries(own) };
}

const isRecord = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const describeWebhook = ({ type, about, example }: DescribedEvent) => ({
  post: {
    operationId: `on.${type}`,
    tags: Object.keys(webhookTag),
    summary: about,
    description:
      (type === test
        ? "Sent by the operation `webhook.test`"
        : `Sent to webhooks that subscribe to \`${type}\``) +
      ", signed by Standard Webhooks. " +
      "`data` repeats `workspacePublicId`, `boardPublicId`, `actor` and `changes`.",
    security: [],
    parameters: headers.map(headerParameter),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: refTo(schemaNameOf(type)),
          example: type === test ? example : withoutRepeated(example),
        },
      },
    },
    responses,
  },
});

/** The webhooks part of the document: one webhook per event type, and the schema of the test. */
export function describeWebhooks() {
  const tested = describedTest();
  return {
    webhooks: Object.fromEntries(
      [...describeEvents(), tested].map((one) => [one.type, describeWebhook(one)]),
    ),
    schemas: {
      [schemaNameOf(test)]: { ...tidy(tested.schema), description: `${tested.about}.` },
    },
  };
}
