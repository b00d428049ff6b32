import {
  describedEvents,
  describedTest,
  schemaOf,
  type DescribedEvent,
} from "../../outbound/webhooks/event-descriptions.ts";
import { nameOfType } from "./events.ts";
import { RepeatedFields } from "../../outbound/webhooks/message/payload.ts";
import { headerParameter } from "./headers.ts";
import { refTo, tidy, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";

const headers = ["WebhookId", "WebhookTimestamp", "WebhookSignature"] as const;

const responses = {
  "2XX": { description: "Received." },
  "410": { description: "Gone: the webhook is disabled." },
  default: { description: "The delivery is retried later." },
};

/** The tag of the requests that the service sends. */
export const webhookTag = { "Incoming webhooks": "Requests that the service sends to webhooks." };

/** What webhooks receive beside the event that feed and stream show. */
const repeated = "RepeatedEventFields";

const bodyOf = (type: string): Schema =>
  type === "webhook.test"
    ? refTo(nameOfType(type))
    : { allOf: [refTo(nameOfType(type)), refTo(repeated)] };

const describeWebhook = ({ type, about, example }: DescribedEvent) => ({
  post: {
    operationId: `on.${type}`,
    tags: Object.keys(webhookTag),
    summary: about,
    description: `Sent to webhooks that subscribe to \`${type}\`, signed by Standard Webhooks.`,
    security: [],
    parameters: headers.map(headerParameter),
    requestBody: {
      required: true,
      content: { "application/json": { schema: bodyOf(type), example } },
    },
    responses,
  },
});

/** The webhooks part of the document: one webhook per event type, and their schemas. */
export function describeWebhooks() {
  const test = describedTest();
  const copies = schemaOf(RepeatedFields);
  return {
    webhooks: Object.fromEntries(
      [...describedEvents(), test].map((one) => [one.type, describeWebhook(one)]),
    ),
    schemas: {
      ...tidyAll(copies.shared),
      [repeated]: tidy(copies.schema),
      [nameOfType(test.type)]: { ...tidy(test.schema), description: `${test.about}.` },
    },
  };
}
