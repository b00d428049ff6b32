import { failures, type FailureCode, type Issue } from "../../platform/errors.ts";
import { etagHeader, commonHeaders, partHeaders, retryHeader } from "./headers.ts";
import { refTo, type Schema } from "../../kernel/schemas/schema.ts";

/** The schemas of an error. */
export const failureSchemas: Record<"Error" | "ErrorCode" | "Issue", Schema> = {
  ErrorCode: {
    type: "string",
    description: "The code of an error. Each belongs to one status.",
    enum: Object.keys(failures),
  },
  Error: {
    type: "object",
    description: "The reason why request failed. `issues` has the details.",
    properties: {
      code: refTo("ErrorCode"),
      message: { type: "string", description: "The standard message of the code." },
      issues: { type: "array", items: refTo("Issue") },
      failedAt: {
        type: "integer",
        description: "The index of the operation of a batch that failed.",
      },
    },
    required: ["code", "message"],
  },
  Issue: {
    type: "object",
    description: "One problem of a request.",
    properties: {
      message: { type: "string" },
      path: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "integer" }] },
        description: "The path from the root of the input to the field.",
      },
      code: { type: "string", description: "A stable code of the problem." },
    },
    required: ["message"],
  },
};

const issues = new Map<string, Issue>([
  ["BAD_REQUEST", { message: "Must not be empty", path: ["name"], code: "custom" }],
  [
    "FORBIDDEN",
    { message: "This operation requires the permission card:edit.", code: "card:edit" },
  ],
  ["NOT_FOUND", { message: "Card not found.", code: "card_not_found" }],
  ["CONFLICT", { message: "The slug is already in use.", path: ["slug"] }],
  [
    "PRECONDITION_FAILED",
    { message: "The resource has changed. Its current version is 4.", code: "stale" },
  ],
  ["NOT_ACCEPTABLE", { message: "The service answers with application/json." }],
  ["RANGE_NOT_SATISFIABLE", { message: "The range is outside the file, which has 10 bytes." }],
  ["UNPROCESSABLE_CONTENT", { message: "This Idempotency-Key was used for a different request." }],
  ["TOO_MANY_REQUESTS", { message: "The limit is 100 calls in 10 seconds." }],
  ["INTERNAL_SERVER_ERROR", { message: "The request id is q8w2e5r7t1y4." }],
  ["BAD_GATEWAY", { message: "GitHub responded with status 500." }],
  ["SERVICE_UNAVAILABLE", { message: "The service is shutting down." }],
]);
const retryable = new Set(["TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"]);

const errorEntry = (code: string, message: string, description = message) => ({
  description,
  headers: { ...commonHeaders, ...(retryable.has(code) ? retryHeader : {}) },
  content: {
    "application/json": {
      schema: refTo("Error"),
      example: { code, message, issues: [issues.get(code) ?? []].flat() },
    },
  },
});

function rangeNotSatisfiable() {
  const { message } = failures.RANGE_NOT_SATISFIABLE;
  const failure = errorEntry("RANGE_NOT_SATISFIABLE", message, "The range is outside the file");
  return { ...failure, headers: { ...failure.headers, ...etagHeader, ...partHeaders } };
}

/** The component name of an error: `BAD_REQUEST` is `BadRequest`. */
const responseName = (code: string) =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The shared responses: one per error, one for all other errors, and 304. */
export const responses = {
  ...Object.fromEntries(
    Object.entries(failures).map(([code, { message }]) => [
      responseName(code),
      errorEntry(code, message),
    ]),
  ),
  OutOfRange: rangeNotSatisfiable(),
  OtherFailure: errorEntry("CONFLICT", failures.CONFLICT.message, "Any other error"),
  NotModified: {
    description: "Not modified",
    headers: { ...commonHeaders, ...etagHeader },
  },
};

const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** The response of an error, by its status. */
export const failureResponse = (code: FailureCode) =>
  [String(failures[code].status), ref(responseName(code))] as const;

/** The response of every error that an operation does not declare by status. */
export const otherFailure = ref("OtherFailure");

/** The response when the client has the current version. */
export const notModified = ref("NotModified");

/** The response when the requested range is outside the file. */
export const outOfRange = ref("OutOfRange");
