import { z } from "zod";
import { unsafeText } from "../../kernel/procedures/check-call.ts";
import { inputIssues } from "../../kernel/request/error-response.ts";
import { type Failure, badRequest, invalidInput } from "../../platform/errors.ts";
import { sections, type Items } from "./workspace.ts";
import { JsonError, readJson, type JsonPart } from "../../platform/json/read-json.ts";

type Sections = typeof sections;
type ListName = keyof Items;
type SectionName = keyof Sections;

/** A section of the document, or one element of a section that is a list; both are valid. */
export type Section =
  | { [Name in ListName]: { section: Name; index: number; value: Items[Name] } }[ListName]
  | {
      [Name in Exclude<SectionName, ListName>]: { section: Name; value: z.infer<Sections[Name]> };
    }[Exclude<SectionName, ListName>];

const names: readonly string[] = Object.keys(sections);
const lists: readonly string[] = [
  "roles",
  "members",
  "boards",
  "views",
  "cards",
] satisfies ListName[];
/** Whether files of older versions lack a section. */
const isOptional = (name: string | undefined) => name === "views";
const fields = names.filter((name) => !lists.includes(name));
/** The most tokens of one element: a card with 50,000 events in its history. */
const maxTokens = 3_000_000;
const maxIssues = 20;
const longList = 100;

type Path = (string | number)[];

/** Reads the document of a workspace section by section; 400 for an invalid or incomplete one. */
export async function* sectionsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Section> {
  let next = 0;
  const onField = (name: string, isList: boolean) => {
    if (isOptional(names[next]) && name !== names[next]) next++;
    const expected = names[next++];
    if (name !== expected) throw unexpectedSection(name, expected);
    if (lists.includes(name) && !isList)
      throw badRequest("document_invalid", "Must be an array.", [name]);
  };
  const parts = readJson(bytes, { fields, lists, maxTokens, onField });
  try {
    for await (const batch of parts) for (const part of batch) yield validSection(part);
  } catch (error) {
    throw error instanceof JsonError ? failureFor(error) : error;
  }
  const missing = names.slice(next).filter((name) => !isOptional(name));
  if (missing.length > 0)
    throw badRequest("document_invalid", `The document has no ${missing.join(", ")}.`);
}

function failureFor({ problem, at }: JsonError): Failure {
  const path = typeof at === "string" ? [at] : undefined;
  const messages: Record<JsonError["problem"], string> = {
    object: "The document must be a JSON object.",
    syntax: `The document is not JSON: it is invalid at byte ${at}.`,
    end: `The document is cut off after ${at} bytes.`,
    depth: "The document is nested too deeply.",
    tokens: "An item has too many values.",
    text: "A text is longer than any field allows.",
    bytes: "An item has too many bytes.",
  };
  return badRequest("document_invalid", messages[problem], path);
}

function unexpectedSection(name: string, expected: string | undefined): Failure {
  const shortName = name.slice(0, 100);
  if (!names.includes(name)) return badRequest("unrecognized_keys", "Unknown field", [shortName]);
  if (expected === undefined)
    return badRequest("document_invalid", "The section is repeated.", [shortName]);
  const message =
    `Expected the section ${expected}. ` +
    `The sections are ${names.join(", ")}, each once and in this order.`;
  return badRequest("document_invalid", message, [shortName]);
}

/** Validates a section; 400 names what is invalid and its path. */
function validSection({ field: section, index, value }: JsonPart): Section {
  const shape = sections[section as SectionName];
  const isList = "element" in shape;
  const path = isList ? [section, index] : [section];
  const unsafe = unsafeText(value);
  if (unsafe !== undefined) {
    const message = "The text contains a NUL character or an unpaired surrogate.";
    throw badRequest("invalid_text", message, [...path, ...unsafe]);
  }
  const expected = isList ? shape.element : shape;
  const invalid = firstInvalid(expected, value, path);
  if (invalid !== undefined) throw invalidSection(section, invalid.path, invalid.error);
  const result = expected.safeParse(value);
  if (!result.success) throw invalidSection(section, path, result.error);
  // The schema of the section is the type of its value.
  return { section, index, value: result.data } as Section;
}

/**
 * The first invalid element of a long list within a value.
 *
 * The elements are checked one by one: the issues of a million invalid ones would take gigabytes.
 */
function firstInvalid(
  shape: z.core.$ZodType,
  value: unknown,
  path: Path,
): { path: Path; error: z.ZodError } | undefined {
  if (shape instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const at = [...path, index];
      const inside = firstInvalid(shape.element, element, at);
      if (inside !== undefined) return inside;
      const { error } = value.length > longList ? z.safeParse(shape.element, element) : {};
      if (error !== undefined) return { path: at, error };
    }
  } else if (shape instanceof z.ZodObject && typeof value === "object" && value !== null) {
    for (const [key, field] of Object.entries<z.core.$ZodType>(shape.shape)) {
      const inside = firstInvalid(field, (value as Record<string, unknown>)[key], [...path, key]);
      if (inside !== undefined) return inside;
    }
  }
  return undefined;
}

function invalidSection(section: string, path: Path, error: z.ZodError): Failure {
  const hints: Record<string, string> = {
    format: "This is not an exported workspace.",
    version: "This service does not read this version of the format.",
  };
  const issues = inputIssues(error).slice(0, maxIssues);
  return invalidInput(
    issues.map((issue) => ({
      ...issue,
      message: hints[section] ?? issue.message,
      path: [...path, ...(issue.path ?? [])],
    })),
  );
}
