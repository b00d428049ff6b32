import {
  describeEvents,
  describedTest,
  type DescribedEvent,
} from "../../outbound/webhooks/event-descriptions.ts";
import { schemaNameOf } from "../../contract/event-envelope.ts";
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

const test = "webhook.test";

/** The schema name of a body: `CardCreatedEventBody` of `card.created`. */
const bodyName = (type: string) =>
  type === test ? schemaNameOf(type) : `${schemaNameOf(type)}Body`;

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
          schema: refTo(bodyName(type)),
          example,
        },
      },
    },
    responses,
  },
});

/** The webhooks part of the document: one webhook per event type, and the schemas of the bodies. */
export function describeWebhooks() {
  const webhooks: Record<string, object> = {};
  const schemas: Record<string, Schema> = {};
  for (const event of [...describeEvents(), describedTest()]) {
    webhooks[event.type] = describeWebhook(event);
    const body = { ...tidy(event.schema), description: `${event.about}.` };
    Object.assign(schemas, tidyAll(event.shared), { [bodyName(event.type)]: body });
  }
  return { webhooks, schemas };
}
