import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { refTo } from "../../kernel/schemas/schema.ts";
import { rest } from "../../kernel/request/rest.ts";
import { describedEvents } from "./event-descriptions.ts";

const Described = z
  .object({
    type: z.string(),
    description: z.string(),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: "The JSON Schema (2020-12) of the body that is sent." }),
    example: z.record(z.string(), z.unknown()).meta({ description: "Such a body." }),
  })
  .meta({ id: "EventDescription" });
const Catalogue = z.array(Described);

let catalogue: z.infer<typeof Catalogue> | undefined;

/** Every type of event that a webhook can listen to, with the body that it is sent. */
export const listEvents = query("webhook.catalogue")
  .meta(
    rest("Webhooks").get(
      "/webhooks/events",
      "Read what webhooks can listen to",
      "Every type of event with the JSON Schema of the body that is sent, whole in itself, and an example of it.",
    ),
  )
  .output(Catalogue)
  .query(() => (catalogue ??= made()));

const made = () =>
  Catalogue.parse(
    describedEvents().map(({ type, about, schema, shared, example }) => {
      const whole = { $schema, ...schema, $defs: shared };
      const text = JSON.stringify(whole).replaceAll(refTo("").$ref ?? "", "#/$defs/");
      return { type, description: about, schema: JSON.parse(text), example };
    }),
  );

const $schema = "https://json-schema.org/draft/2020-12/schema";
