import type { z } from "zod";
import { unsafeText } from "../../access/first.ts";
import { badRequest, Failure } from "../../errors.ts";
import { sections, type Items } from "../../exports/format.ts";
import { failureOf } from "../../http/failure.ts";
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
  const result = (isList ? shape.element : shape).safeParse(value);
  if (!result.success) throw misshapen(section, path, result.error);
  // The schema of the section has just said so.
  return { section, index, value: result.data } as Read;
}

function misshapen(section: SectionName, path: (string | number)[], error: z.ZodError): Failure {
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
