import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  date: "a time",
};

const formats: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a URL",
  uuid: "a UUID",
  datetime: "a time in UTC, such as 2026-01-31T10:00:00.000Z",
  date: "a date, such as 2026-01-31",
  base64url: "base64url",
  base64: "base64",
};

const subjects: Readonly<Record<string, string>> = {
  string: "The text",
  array: "The list",
  set: "The list",
  object: "The object",
};

const units: Readonly<Record<string, string>> = {
  string: "character",
  array: "item",
  set: "item",
  object: "field",
};

/** A number and its unit: `1 item`, `12 characters`. */
const counted = (count: number | bigint, unit: string) =>
  `${count} ${unit}${Number(count) === 1 ? "" : "s"}`;

function limitMessage(origin: string, limit: number | bigint, isLow: boolean, inclusive = true) {
  const unit = units[origin];
  const bound = isLow ? "at least" : "at most";
  if (unit !== undefined) {
    return `${subjects[origin]} must have ${bound} ${counted(limit, unit)}.`;
  }
  if (inclusive) return `The number must be ${bound} ${limit}.`;
  return `The number must be ${isLow ? "greater" : "less"} than ${limit}.`;
}

/** The message of a value that its schema refuses. A message of the schema itself comes first. */
export function issueMessage(issue: RawIssue): string | undefined {
  if (issue.input === undefined) return "Required";
  switch (issue.code) {
    case "invalid_type":
      return `The value must be ${kinds[issue.expected] ?? issue.expected}.`;
    case "too_small":
      return limitMessage(issue.origin, issue.minimum, true, issue.inclusive);
    case "too_big":
      return limitMessage(issue.origin, issue.maximum, false, issue.inclusive);
    case "not_multiple_of":
      return `The number must be a multiple of ${issue.divisor}.`;
    case "invalid_format":
      return formatMessage(issue);
    case "invalid_value":
      return `The value must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}.`;
    case "invalid_union":
      return "The value matches no possible form.";
    case "invalid_key":
      return "The object has an invalid key.";
    case "invalid_element":
      return "The list has an invalid item.";
    default:
      return undefined;
  }
}

function formatMessage({ format, pattern }: { format: string; pattern?: string }) {
  const expected = formats[format];
  if (expected !== undefined) return `The text must be ${expected}.`;
  return pattern === undefined
    ? "The text has the wrong format."
    : `The text must match ${pattern}.`;
}
