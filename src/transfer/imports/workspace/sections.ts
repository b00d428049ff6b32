import { z } from "zod";
import { unsafeText } from "../../../kernel/procedures/unsafe-text.ts";
import { badRequest, Failure } from "../../../platform/errors.ts";
import { sections, type Items } from "../../exports/format.ts";
import { failureOf } from "../../../kernel/request/error-response.ts";
import { TRPCError } from "@trpc/server";
import type { ListName, Piece, SectionName } from "./reader.ts";

type Singles = Exclude<SectionName, ListName>;

/** A piece of the document that is what the format says. */
export type Read =
  | { [Name in ListName]: { section: Name; index: number; value: Items[Name] } }[ListName]
  | {
      [Name in Singles]: { section: Name; value: z.infer<(typeof sections)[Name]> };
    }[Singles];

const most = 20;

/** Reads one piece as the format has it; 400 that says where it is something else. */
export function read({ section, index, value }: Piece): Read {
  const shape = sections[section];
  const isList = "element" in shape;
  const path = isList ? [section, index] : [section];
  const unsafe = unsafeText(value);
  if (unsafe !== undefined)
    throw badRequest("The text holds a NUL or half a character.", [...path, ...unsafe]);
  const expected = isList ? shape.element : shape;
  const wrong = firstWrong(expected, value, path);
  if (wrong !== undefined) throw misshapen(section, wrong.path, wrong.error);
  const result = expected.safeParse(value);
  if (!result.success) throw misshapen(section, path, result.error);
  // The schema of the section has just said so.
  return { section, index, value: result.data } as Read;
}

const long = 100;
type Path = (string | number)[];

/** What is wrong first in the long lists of a value, looked at one by one: what is wrong with each of a million takes gigabytes to tell. */
function firstWrong(
  shape: z.core.$ZodType,
  value: unknown,
  path: Path,
): { path: Path; error: z.ZodError } | undefined {
  if (shape instanceof z.ZodArray && Array.isArray(value)) {
    for (const [nth, one] of value.entries()) {
      const at = [...path, nth];
      const within = firstWrong(shape.element, one, at);
      if (within !== undefined) return within;
      const { error } = value.length > long ? z.safeParse(shape.element, one) : {};
      if (error !== undefined) return { path: at, error };
    }
  } else if (shape instanceof z.ZodObject && typeof value === "object" && value !== null) {
    for (const [key, field] of Object.entries<z.core.$ZodType>(shape.shape)) {
      const within = firstWrong(field, Reflect.get(value, key), [...path, key]);
      if (within !== undefined) return within;
    }
  }
  return undefined;
}

function misshapen(section: SectionName, path: Path, error: z.ZodError): Failure {
  const cause = new TRPCError({ code: "BAD_REQUEST", cause: error });
  const issues = failureOf(cause).body.issues.slice(0, most);
  const hint: Partial<Record<SectionName, string>> = {
    format: "This is not an exported workspace.",
    version: "This service reads another version of the format.",
  };
  const message = hint[section];
  return new Failure(
    "BAD_REQUEST",
    issues.map((issue) => ({
      ...issue,
      message: message ?? issue.message,
      path: [...path, ...(issue.path ?? [])],
    })),
  );
}
