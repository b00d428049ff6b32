import {
  describedEvents,
  describedTest,
  type DescribedEvent,
} from "../../outbound/webhooks/event-descriptions.ts";
import { headerParameter } from "./headers.ts";
import { refTo, tidy, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";

const headers = ["WebhookId", "WebhookTimestamp", "WebhookSignature"] as const;

const responses = {
  "2XX": { description: "It has arrived." },
  "410": { description: "Nothing more is to come: the webhook is disabled." },
  default: { description: "It is sent again later." },
};

/** `card.created` is sent as `CardCreatedEvent`. */
const nameOf = (type: string) =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

const describe = ({ type, about, example }: DescribedEvent) => ({
  post: {
    operationId: `on.${type}`,
    tags: ["Webhooks"],
    summary: about,
    description: `Sent to webhooks that listen to \`${type}\`, signed after Standard Webhooks.`,
    security: [],
    parameters: headers.map(headerParameter),
    requestBody: {
      required: true,
      content: { "application/json": { schema: refTo(nameOf(type)), example } },
    },
    responses,
  },
});

/** The document's part on what the service sends: one webhook for each type of event, and the schemas of their bodies with those that they refer to. */
export function describeWebhooks() {
  const all = [...describedEvents(), describedTest()];
  const schemas: Record<string, Schema> = {};
  for (const { type, schema, shared } of all) {
    Object.assign(schemas, tidyAll(shared), { [nameOf(type)]: tidy(schema) });
  }
  return { webhooks: Object.fromEntries(all.map((one) => [one.type, describe(one)])), schemas };
}
