import { z } from "zod";

/** The type inside wrappers such as `optional`, of what a request gives. */
export function innerType(type: unknown): unknown {
  if (
    type instanceof z.ZodOptional ||
    type instanceof z.ZodDefault ||
    type instanceof z.ZodNullable
  ) {
    return innerType(type.unwrap());
  }
  // A schema after a function is the one that the function's result must pass.
  if (type instanceof z.ZodPipe) {
    return innerType(type.in instanceof z.ZodTransform ? type.out : type.in);
  }
  return type;
}

/** Whether a value is an object that has fields. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What changes the value of a type before its parts are changed. */
type Change = (type: unknown, value: unknown) => unknown;

/** What says the fields of an object that stay, each with its type. */
type Fields = (
  type: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
) => (readonly [name: string, value: unknown, type: unknown])[];

/** Changes a value and all its parts, each by the type that a schema has for it. */
export function changeBySchema(
  schema: unknown,
  input: unknown,
  rules: { change: Change; fields: Fields },
): unknown {
  const type = innerType(schema);
  const value = rules.change(type, input);
  if (type instanceof z.ZodObject && isRecord(value)) {
    const entries = rules.fields(type, value).map(([name, field, fieldType]) => {
      return [name, changeBySchema(fieldType, field, rules)] as const;
    });
    return Object.fromEntries(entries);
  }
  if (type instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item: unknown) => changeBySchema(type.element, item, rules));
  }
  return value;
}
