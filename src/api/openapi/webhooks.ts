import {
  describedEvents,
  describedTest,
  type DescribedEvent,
} from "../../outbound/webhooks/event-descriptions.ts";
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

/** The schema name of an event: `card.created` is `CardCreatedEvent`. */
const nameOf = (type: string) =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

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
      content: { "application/json": { schema: refTo(nameOf(type)), example } },
    },
    responses,
  },
});

/** The webhooks part of the document: one webhook per event type, and their schemas. */
export function describeWebhooks() {
  const all = [...describedEvents(), describedTest()];
  const schemas: Record<string, Schema> = {};
  for (const { type, about, schema, shared } of all) {
    const described = { ...tidy(schema), description: `${about}.` };
    Object.assign(schemas, tidyAll(shared), { [nameOf(type)]: described });
  }
  return {
    webhooks: Object.fromEntries(all.map((one) => [one.type, describeWebhook(one)])),
    schemas,
  };
}
