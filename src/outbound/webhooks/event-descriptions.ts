import { z } from "zod";
import { subjectOf } from "../../contract/event-data.ts";
import { catalog, webhookEventTypes, type EventType } from "../../contract/events.ts";
import { exemplifier, type Json } from "../../kernel/schemas/example.ts";
import { exampleIds } from "../../contract/vocabulary/ids.ts";
import { refTo, Schema } from "../../kernel/schemas/schema.ts";

import { payloadOf, TestPayload } from "./message/payload.ts";

/** An event type with the JSON Schema of its body, which refers to `shared`, and an example. */
export type DescribedEvent = {
  type: string;
  about: string;
  schema: Schema;
  shared: Record<string, Schema>;
  example: Json;
};

const Generated = z.looseObject({ $defs: z.record(z.string(), Schema).default({}) });

/** The JSON Schema of a payload, and the schemas that it refers to. */
export function schemaOf(payload: z.ZodType): Pick<DescribedEvent, "schema" | "shared"> {
  const generated = z.toJSONSchema(payload, {
    // A later version can add fields, so receivers must accept unknown ones.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Clients of PHP and Ruby would compare the parsed time with the pattern, and fail.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  });
  const text = JSON.stringify(generated).replaceAll("#/$defs/", refTo("").$ref ?? "");
  // Strict validators refuse the document's own keywords.
  const standard = JSON.parse(text, (key, value) => (key.startsWith("x-") ? undefined : value));
  const { $defs: shared, $schema: _, ...schema } = Generated.parse(standard);
  return { schema, shared };
}

function describe(type: string, about: string, payload: z.ZodType): DescribedEvent {
  const { schema, shared } = schemaOf(payload);
  const example = exemplifier(shared)(schema, type);
  return { type, about, schema, shared, example };
}

/** Describes every event type that a webhook can receive, one at a time. */
export function* describeEvents(): Generator<DescribedEvent> {
  for (const type of webhookEventTypes) {
    const event = describe(type, catalog[type].about, payloadOf(type));
    yield { ...event, example: makeConsistent(type, event.example) };
  }
}

/** The event that `webhook.test` sends. */
export const describedTest = (): DescribedEvent =>
  describe("webhook.test", "A webhook was tested", TestPayload);

type Fields = { [key: string]: Json };
const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Makes the fields of an example consistent: a move has two lists, a change two values. */
function makeConsistent(type: EventType, example: Json): Json {
  const data = isFields(example) ? example["data"] : undefined;
  if (!isFields(example) || !isFields(data)) return example;
  const { board, to } = data;
  const boardPublicId = isFields(board) ? (board["publicId"] ?? null) : null;
  const subject = data[subjectOf(type)];
  const changes = type.endsWith(".updated") && isFields(subject) ? changesOf(subject) : {};
  const actor = type === "webhook.disabled" ? { actor: system } : {};
  const { boardPublicId: _, mutationId: __, order: ___, ...envelope } = example;
  return {
    ...envelope,
    ...actor,
    ...changes,
    ...(boardPublicId === null ? {} : { boardPublicId }),
    data: {
      ...data,
      ...(isFields(to) ? { to: { ...to, ...targetOf(to) } } : {}),
      boardPublicId,
      ...changes,
      ...actor,
      ...(type === "webhook.disabled" ? { webhook: inactive(subject) } : {}),
    },
  };
}

function changesOf(subject: Fields): Fields {
  const field = ["title", "name", "comment"].find((name) => name in subject);
  if (field === undefined) return {};
  return { changes: { [field]: { from: "The old text", to: subject[field] ?? null } } };
}

const system = { type: "system", publicId: null, name: "system" };
const inactive = (webhook: Json | undefined): Json =>
  isFields(webhook) ? { ...webhook, isActive: false, active: false } : {};

const targetOf = ({ listPublicId, workspacePublicId }: Fields): Fields => ({
  ...(listPublicId === undefined ? {} : { listPublicId: exampleIds.targetList }),
  ...(workspacePublicId === undefined ? {} : { workspacePublicId: "t1h5e4o8r2y7" }),
});
