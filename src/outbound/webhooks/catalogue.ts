import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { EventTypeText } from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { loadOnce } from "../../platform/load-once.ts";
import { refTo } from "../../kernel/schemas/schema.ts";
import { describeEvents } from "./event-descriptions.ts";

const EventDescription = z
  .object({
    type: EventTypeText,
    description: z.string().meta({
      description: "The description, in Markdown. Null if there is none.",
      examples: ["A card was created"],
    }),
    schema: z.record(z.string(), z.unknown()).meta({
      examples: [{ type: "object", required: ["type", "timestamp", "data"] }],
      description: "The JSON Schema (2020-12) of the body.",
    }),
    example: z.record(z.string(), z.unknown()).meta({
      examples: [
        {
          type: "card.created",
          timestamp: "2026-02-02T08:15:00.000Z",
          data: { card: { publicId: "q8w2e5r7t1y4", title: "Write the announcement" } },
        },
      ],
      description: "An example of the body.",
    }),
  })
  .meta({
    id: "EventDescription",
    description: "An event type with the JSON Schema of its body and an example.",
  });
const Catalogue = z.array(EventDescription);
const $schema = "https://json-schema.org/draft/2020-12/schema";

/** Makes the catalogue, one event type at a time: other calls are served between them. */
const readCatalogue = loadOnce(async () => {
  const catalogue: z.infer<typeof Catalogue> = [];
  for (const { type, about, schema, shared, example } of describeEvents()) {
    const text = JSON.stringify({ $schema, ...schema, $defs: shared });
    const selfContained = text.replaceAll(refTo("").$ref ?? "", "#/$defs/");
    const description = { type, description: about, schema: JSON.parse(selfContained), example };
    catalogue.push(EventDescription.parse(description));
    await setImmediate();
  }
  return catalogue;
});

/** Lists every event type with the body that webhooks receive. */
export const listEventTypes = query("webhook.catalogue")
  .meta(
    rest("Webhooks").get(
      "/webhooks/events",
      "List event types",
      "Returns every event type with a self-contained JSON Schema of the body and an example.",
    ),
  )
  .output(Catalogue)
  .query(() => readCatalogue());
