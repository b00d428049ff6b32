import { z } from "zod";
import { fieldsByEachName } from "../../contract/vocabulary/other-names.ts";
import { changeBySchema, isRecord } from "../by-schema.ts";

const switches = new Map([
  ["true", true],
  ["false", false],
]);

/** A number or a switch that was sent as text. */
function fromText(type: unknown, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type instanceof z.ZodNumber && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return type instanceof z.ZodBoolean ? (switches.get(text) ?? value) : value;
}

/** A body as Kan takes it: without the fields that a schema does not have, numbers also as text. */
export const asKanTakesIt = (
  schema: z.ZodObject,
  body: Record<string, unknown>,
): Record<string, unknown> => {
  const taken = changeBySchema(schema, body, {
    change: fromText,
    fields: (type, value) => {
      const shape = fieldsByEachName(type);
      return Object.entries(value).flatMap(([name, field]) =>
        Object.hasOwn(shape, name) ? [[name, field, shape[name]] as const] : [],
      );
    },
  });
  return isRecord(taken) ? { ...taken } : body;
};
