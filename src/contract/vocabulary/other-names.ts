import { z } from "zod";

const otherNames = z.registry<{ otherName: string }>();

/** A field that a request may also give under the name that similar services have for it. */
export function alsoNamed<Field extends z.ZodType>(field: Field, otherName: string): Field {
  otherNames.add(field, { otherName });
  return field;
}

/** The fields of an input that have another name, by that name. */
export const fieldsByOtherName = ({ shape }: z.ZodObject): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(shape).flatMap(([name, field]) => {
      const otherName = field instanceof z.ZodType ? otherNames.get(field)?.otherName : undefined;
      return otherName === undefined ? [] : [[otherName, name] as const];
    }),
  );

/** The fields of an input by each of their names. */
export const fieldsByEachName = (input: z.ZodObject): z.ZodRawShape => {
  const otherFields = [...fieldsByOtherName(input)].map(([otherName, name]) => [
    otherName,
    input.shape[name],
  ]);
  return { ...input.shape, ...Object.fromEntries(otherFields) };
};

/** An input with the usual names of its fields. A field that has both names is left: it is refused. */
export function withUsualNames(input: unknown, fields: ReadonlyMap<string, string>): unknown {
  if (fields.size === 0 || typeof input !== "object" || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const name = fields.get(key);
      return [name === undefined || Object.hasOwn(input, name) ? key : name, value];
    }),
  );
}
