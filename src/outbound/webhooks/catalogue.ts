import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { loadOnce } from "../../platform/load-once.ts";
import { refTo } from "../../kernel/schemas/schema.ts";
import { describeEvents } from "./event-descriptions.ts";

const EventDescription = z
  .object({
    type: z.string(),
    description: z.string(),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: "The JSON Schema (2020-12) of the body." }),
    example: z.record(z.string(), z.unknown()).meta({ description: "An example of the body." }),
  })
  .meta({ id: "EventDescription" });
const Catalogue = z.array(EventDescription);
const $schema = "https://json-schema.org/draft/2020-12/schema";

/** Makes the catalogue, one event type at a time: other calls are served between them. */
const readCatalogue = loadOnce(async () => {
  const catalogue: z.infer<typeof Catalogue> = [];
  for (const { type, about, schema, shared, example } of describeEvents()) {
    const text = JSON.stringify({ $schema, ...schema, $defs: shared });
    const selfContained = text.replaceAll(refTo("").$ref ?? "", "#/$defs/");
    const one = { type, description: about, schema: JSON.parse(selfContained), example };
    catalogue.push(EventDescription.parse(one));
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
