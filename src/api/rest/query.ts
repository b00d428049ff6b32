import { z } from "zod";
import { badRequest } from "../../platform/errors.ts";
import { innerType } from "../by-schema.ts";

type Read = (texts: string[]) => unknown;

/**
 * Parses a query string by the types of its parameters. Values that do not parse stay text.
 *
 * Unknown parameters stay in it, to be refused, unless they are ignored.
 */
export function queryReader(
  shape: z.ZodRawShape,
): (query: URLSearchParams, ignoresUnknown?: boolean) => Record<string, unknown> {
  const readers = new Map(Object.entries(shape).map(([key, type]) => [key, readerOf(type)]));
  return (query, ignoresUnknown = false) => {
    if (query.size === 0) return {};
    const keys = [...new Set(query.keys())].filter((key) => !ignoresUnknown || readers.has(key));
    const entries = keys.map((key): [string, unknown] => {
      const texts = query.getAll(key);
      return [key, (readers.get(key) ?? readSingle((text) => text))(texts)];
    });
    return Object.fromEntries(entries);
  };
}

const noSearch = new URLSearchParams();

/** The query of a URL. 400 when it is not UTF-8, which `URLSearchParams` would replace silently. */
export function searchOf(url: string): URLSearchParams {
  if (!url.includes("?")) return noSearch;
  const { search, searchParams } = new URL(url);
  try {
    decodeURIComponent(search);
  } catch {
    throw badRequest("invalid_query", "The query must be UTF-8 with percent-encoding.");
  }
  return searchParams;
}

const readSingle =
  (read: (text: string) => unknown): Read =>
  (texts) =>
    texts.length === 1 ? read(texts[0] ?? "") : texts;

/** The booleans of a query, as JSON, numbers and Python write them. */
const booleans = new Map([
  ...["true", "True", "1"].map((text) => [text, true] as const),
  ...["false", "False", "0"].map((text) => [text, false] as const),
]);

function readerOf(type: unknown): Read {
  const inner = innerType(type);
  if (inner instanceof z.ZodArray) {
    return (texts) => texts.flatMap((text) => (text === "" ? [] : text.split(",")));
  }
  if (inner instanceof z.ZodBoolean) {
    return readSingle((text) => booleans.get(text) ?? text);
  }
  if (inner instanceof z.ZodNumber) {
    return readSingle((text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text));
  }
  return readSingle((text) => text);
}
