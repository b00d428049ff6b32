import { z } from "zod";
import { catalog, subjectOf, type EventType } from "../../contract/events.ts";
import { exemplifier } from "../../kernel/schemas/example.ts";
import { refTo, Schema } from "../../kernel/schemas/schema.ts";
import { exampleIds, type Json } from "../../kernel/schemas/values.ts";
import { payloadOf, TestPayload } from "./payload.ts";

/** A kind of delivery: its body as JSON Schema, which may refer to `shared` ones by their place in the document, and an example of it. */
export type Described = {
  type: string;
  about: string;
  schema: Schema;
  shared: Record<string, Schema>;
  example: Json;
};

const Generated = z.looseObject({ $defs: z.record(z.string(), Schema).default({}) });

function described(type: string, about: string, payload: z.ZodType): Described {
  const made = z.toJSONSchema(payload, {
    // More may come: a receiver takes what it knows.
    override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
  });
  const text = JSON.stringify(made).replaceAll("#/$defs/", refTo("").$ref ?? "");
  const { $defs: shared, $schema: _, ...schema } = Generated.parse(JSON.parse(text));
  const example = exemplifier(shared)(schema, "event");
  return { type, about, schema, shared, example };
}

let made: Described[] | undefined;

/** What can be listened to, each with its body; made once. */
export const describedEvents = (): readonly Described[] =>
  (made ??= eventTypes().map((type) => {
    const all = described(type, catalog[type].about, payloadOf(type));
    return { ...all, example: plausible(type, all.example) };
  }));

/** What `webhook.test` sends. */
export const describedTest = (): Described =>
  described("webhook.test", "What a test of a webhook sends", TestPayload);

// An object's keys are typed as texts; those of the catalogue are the types.
const eventTypes = () =>
  Object.keys(catalog).filter((type): type is EventType => Object.hasOwn(catalog, type));

type Fields = { [key: string]: Json };
const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields do not know of each other: what moved went elsewhere, what changed was something else before, and what is on no board is on none. */
function plausible(type: EventType, example: Json): Json {
  const data = isFields(example) ? example["data"] : undefined;
  if (!isFields(example) || !isFields(data)) return example;
  const { board, to } = data;
  const subject = data[subjectOf(type)];
  const field = ["title", "name", "comment"].find((one) => isFields(subject) && one in subject);
  const changed =
    type.endsWith(".updated") && isFields(subject) && field !== undefined
      ? { changes: { [field]: { from: "As it was before", to: subject[field] ?? null } } }
      : {};
  return {
    ...example,
    data: {
      ...data,
      ...(isFields(to) ? { to: { ...to, ...elsewhere(to) } } : {}),
      boardPublicId: isFields(board) ? (board["publicId"] ?? null) : null,
      ...changed,
      ...(type === "webhook.disabled" ? { actor: itself, webhook: switchedOff(subject) } : {}),
    },
  };
}

const itself = { type: "system", publicId: null, name: "system" };
const switchedOff = (webhook: Json | undefined): Json =>
  isFields(webhook) ? { ...webhook, active: false } : {};

const elsewhere = ({ listPublicId, workspacePublicId }: Fields): Fields => ({
  ...(listPublicId === undefined ? {} : { listPublicId: exampleIds["targetList"] ?? null }),
  ...(workspacePublicId === undefined ? {} : { workspacePublicId: "t1h5e4o8r2y7" }),
});
