import { z } from "zod";

type Read = (texts: string[]) => unknown;

/** Reads a query string as a schema means it: numbers, booleans and lists by their spelling, never by guessing; what does not fit stays text for the schema to refuse. */
export function queryReader(
  schema: z.ZodObject,
): (query: URLSearchParams) => Record<string, unknown> {
  const readers = new Map(Object.entries(schema.shape).map(([key, type]) => [key, readerOf(type)]));
  return (query) => {
    const entries = [...new Set(query.keys())].map((key): [string, unknown] => {
      const texts = query.getAll(key);
      return [key, (readers.get(key) ?? single((text) => text))(texts)];
    });
    return Object.fromEntries(entries);
  };
}

const single =
  (read: (text: string) => unknown): Read =>
  (texts) =>
    texts.length === 1 ? read(texts[0] ?? "") : texts;

function readerOf(type: unknown): Read {
  const inner = bare(type);
  if (inner instanceof z.ZodArray) {
    return (texts) => texts.flatMap((text) => (text === "" ? [] : text.split(",")));
  }
  if (inner instanceof z.ZodBoolean) {
    return single((text) => (text === "true" ? true : text === "false" ? false : text));
  }
  if (inner instanceof z.ZodNumber) {
    return single((text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text));
  }
  return single((text) => text);
}

function bare(type: unknown): unknown {
  if (
    type instanceof z.ZodOptional ||
    type instanceof z.ZodDefault ||
    type instanceof z.ZodNullable
  ) {
    return bare(type.unwrap());
  }
  return type instanceof z.ZodPipe ? bare(type.in) : type;
}
