import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { refTo } from "../../kernel/schemas/schema.ts";
import { describedEvents } from "./event-descriptions.ts";

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

let catalogue: z.infer<typeof Catalogue> | undefined;

/** Lists every event type with the body that webhooks receive. */
export const listEvents = query("webhook.catalogue")
  .meta(
    rest("Webhooks").get(
      "/webhooks/events",
      "List event types",
      "Returns every event type with a self-contained JSON Schema of the body and an example.",
    ),
  )
  .output(Catalogue)
  .query(() => (catalogue ??= makeCatalogue()));

const makeCatalogue = () =>
  Catalogue.parse(
    describedEvents().map(({ type, about, schema, shared, example }) => {
      const text = JSON.stringify({ $schema, ...schema, $defs: shared });
      const selfContained = text.replaceAll(refTo("").$ref ?? "", "#/$defs/");
      return { type, description: about, schema: JSON.parse(selfContained), example };
    }),
  );
