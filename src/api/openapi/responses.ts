import { failures, type FailureCode, type Issue } from "../../platform/errors.ts";
import { etagHeader, everyHeader, partHeaders, retryHeader } from "./headers.ts";
import { refTo, type Schema } from "../../kernel/schemas/schema.ts";

/** The schemas of a failure. */
export const failureSchemas: Record<"Error" | "Issue", Schema> = {
  Error: {
    type: "object",
    description: "Why a call failed; what exactly was wrong stands in `issues`.",
    properties: {
      code: { type: "string", enum: Object.keys(failures) },
      message: { type: "string", description: "The standard message of the code." },
      issues: { type: "array", items: refTo("Issue") },
    },
    required: ["code", "message"],
    additionalProperties: false,
  },
  Issue: {
    type: "object",
    description: "One thing that was wrong.",
    properties: {
      message: { type: "string" },
      path: {
        type: "array",
        items: { type: ["string", "integer"] },
        description: "Where: the way there from the input's root.",
      },
      code: { type: "string", description: "What, for a program." },
    },
    required: ["message"],
    additionalProperties: false,
  },
};

const issues = new Map<string, Issue>([
  ["BAD_REQUEST", { message: "Must not be empty", path: ["name"], code: "custom" }],
  ["FORBIDDEN", { message: "This needs the permission card:edit.", code: "card:edit" }],
  ["NOT_FOUND", { message: "There is no such card.", code: "card_not_found" }],
  ["CONFLICT", { message: "The slug is taken.", path: ["slug"] }],
  [
    "PRECONDITION_FAILED",
    { message: "The thing has been changed since: its version is now 4.", code: "stale" },
  ],
  ["UNPROCESSABLE_CONTENT", { message: "This Idempotency-Key was used for another call." }],
  ["TOO_MANY_REQUESTS", { message: "The limit is 100 in 10 s." }],
  ["INTERNAL_SERVER_ERROR", { message: "The request's id is q8w2e5r7t1y4." }],
  ["BAD_GATEWAY", { message: "GitHub answered with status 500." }],
  ["SERVICE_UNAVAILABLE", { message: "The service is shutting down." }],
]);
const later = new Set(["TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"]);

const failing = (code: string, message: string, description = message) => ({
  description,
  headers: { ...everyHeader, ...(later.has(code) ? retryHeader : {}) },
  content: {
    "application/json": {
      schema: refTo("Error"),
      example: { code, message, issues: [issues.get(code) ?? []].flat() },
    },
  },
});

/** The status is HTTP's own; the code is that of an input that does not fit. */
function outside() {
  const failure = failing(
    "BAD_REQUEST",
    failures.BAD_REQUEST.message,
    "Nothing of the file lies in the range",
  );
  return { ...failure, headers: { ...failure.headers, ...etagHeader, ...partHeaders } };
}

/** `BAD_REQUEST` is `BadRequest`. */
const responseName = (code: string) =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The responses that operations share: one for every failure of the catalogue, one for all others, and 304. */
export const responses = {
  ...Object.fromEntries(
    Object.entries(failures).map(([code, { message }]) => [
      responseName(code),
      failing(code, message),
    ]),
  ),
  OutOfRange: outside(),
  OtherFailure: failing("CONFLICT", failures.CONFLICT.message, "Any other failure"),
  NotModified: {
    description: "Still what was read before",
    headers: { ...everyHeader, ...etagHeader },
  },
};

const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** The response of a failure, by its status. */
export const failureResponse = (code: FailureCode) =>
  [String(failures[code].status), ref(responseName(code))] as const;

/** The response of every failure that an operation does not declare by its status. */
export const otherFailure = ref("OtherFailure");

/** The response to a reader who has the current version. */
export const notModified = ref("NotModified");

/** The response to a reader who asks for a part that the file does not have. */
export const outOfRange = ref("OutOfRange");
