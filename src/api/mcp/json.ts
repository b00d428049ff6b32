import { badRequest, Failure } from "../../platform/errors.ts";

/** Parses JSON. 400 for a name that the library and zod pass over: it would be ignored. */
export const parseJson = (text: string): unknown =>
  mayHavePrototype.test(text) ? JSON.parse(text, refusePrototype) : JSON.parse(text);

const mayHavePrototype = /__proto__|\\u005f/i;

function refusePrototype(name: string, value: unknown): unknown {
  if (name !== "__proto__") return value;
  throw badRequest("unrecognized_keys", "Unknown field __proto__.", ["params", name]);
}

/** Parses a text that may be JSON; undefined for another text. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return undefined;
  }
}
