import { allErrorCodes, errorCodes, type ErrorCode } from "../../contract/error-codes.ts";
import { retryAfterSeconds } from "../../contract/retry-after.ts";
import { failureCatalog, failureDescriptions } from "../../contract/failure-codes.ts";
import type { Failure, Issue } from "../../platform/errors.ts";
import { examples } from "./failure-examples.ts";
import { commonHeaders, headersNamed } from "./headers.ts";
import { SecondFactorChallenge } from "../../contract/resources/second-factor.ts";
import { schemaOf } from "../../outbound/webhooks/event-descriptions.ts";
import { refTo, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";

const failureList = Object.entries(failureDescriptions)
  .map(([code, sentence]) => `- \`${code}\`: ${sentence}`)
  .join("\n");

const challenge = schemaOf(SecondFactorChallenge);

/** The schemas of an error. */
export const failureSchemas: Record<string, Schema> = {
  ...tidyAll(challenge.shared),
  ErrorCode: {
    type: "string",
    description: "The code of an error. Each belongs to one status.",
    enum: Object.keys(errorCodes),
  },
  Error: {
    type: "object",
    description: "Why the request failed. `issues` has the details.",
    properties: {
      code: refTo("ErrorCode"),
      message: { type: "string", description: "The standard message of the code." },
      issues: { type: "array", items: refTo("Issue"), description: "The problems in detail." },
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
      message: { type: "string", description: "What is wrong, for people." },
      path: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "integer" }] },
        description: "The path from the root of the input to the field.",
      },
      code: refTo("FailureCode"),
      data: {
        type: "object",
        description: "Of `wip_limit`: the limit of the list, and how many cards it would have.",
        properties: {
          limit: { type: "integer", description: "The `wipLimit` of the list." },
          count: { type: "integer", description: "How many cards the list would have." },
        },
        required: ["limit", "count"],
      },
      secondFactor: refTo("SecondFactorChallenge"),
    },
    required: ["message", "code"],
  },
  FailureCode: {
    type: "string",
    description: `The stable code of a problem.\n\n${failureList}`,
    enum: Object.keys(failureDescriptions),
  },
};

const issues = new Map<ErrorCode, Issue>([
  ["BAD_REQUEST", { message: 'Unrecognized key: "colour"', path: [], code: "unrecognized_keys" }],
  ["NOT_FOUND", { message: "GitHub is not configured.", code: "provider_not_configured" }],
  [
    "PRECONDITION_FAILED",
    { message: "The resource has changed. Its current version is 4.", code: "stale" },
  ],
  [
    "NOT_ACCEPTABLE",
    { message: "The service answers with application/json.", code: "not_acceptable" },
  ],
  [
    "RANGE_NOT_SATISFIABLE",
    {
      message: "The range is outside the file, which has 10 bytes.",
      code: "range_not_satisfiable",
    },
  ],
  ["REQUEST_TIMEOUT", { message: "The request body arrived too slowly.", code: "request_timeout" }],
  [
    "UNPROCESSABLE_CONTENT",
    { message: "This Idempotency-Key was used for another call.", code: "idempotency_key_reused" },
  ],
  [
    "TOO_MANY_REQUESTS",
    { message: "Rate limit exceeded: 100 calls in 10 s.", code: "rate_limited" },
  ],
  ["INTERNAL_SERVER_ERROR", { message: "The request id is q8w2e5r7t1y4.", code: "unexpected" }],
  ["BAD_GATEWAY", { message: "GitHub responded with status 500.", code: "provider_failed" }],
  ["SERVICE_UNAVAILABLE", { message: "The service is shutting down.", code: "shutting_down" }],
]);
/** Whether a retry can help against a failure of an error. */
const isRetryable = (error: ErrorCode) =>
  Object.keys(failureCatalog[error]).some((code) => Object.hasOwn(retryAfterSeconds, code));

const errorEntry = (
  code: ErrorCode,
  message: string,
  {
    description = message,
    issue = issues.get(code),
  }: { description?: string; issue?: Issue | undefined } = {},
) => ({
  description,
  headers: {
    ...commonHeaders,
    ...(code === "UNAUTHORIZED" ? headersNamed("WWW-Authenticate") : {}),
    ...(isRetryable(code) ? headersNamed("Retry-After") : {}),
  },
  content: {
    "application/json": {
      schema: refTo("Error"),
      example: { code, message, issues: [issue ?? []].flat() },
    },
  },
});

function rangeNotSatisfiable() {
  const { message } = errorCodes.RANGE_NOT_SATISFIABLE;
  const failure = errorEntry("RANGE_NOT_SATISFIABLE", message, {
    description: "The range is outside the file",
  });
  const fileHeaders = headersNamed("ETag", "Accept-Ranges", "Content-Range");
  return { ...failure, headers: { ...failure.headers, ...fileHeaders } };
}

/** The component name of an error: `BAD_REQUEST` is `BadRequest`. */
const responseName = (code: string) =>
  code.toLowerCase().replace(/(?:^|[_:])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The component name of an error with an example: `ForbiddenCardEdit`, `NotFoundCard`. */
const exampleName = ({ failure, issues: [issue] }: Failure) =>
  responseName(`${failure}_${issue?.code.replace("_not_found", "").replace(/[A-Z]/g, "_$&")}`);

/** The shared responses: one per error, one for all other errors, and 304. */
export const responses = {
  ...Object.fromEntries(
    allErrorCodes.map((code) => [responseName(code), errorEntry(code, errorCodes[code].message)]),
  ),
  OutOfRange: rangeNotSatisfiable(),
  ...Object.fromEntries(
    examples.map((example) => [
      exampleName(example),
      errorEntry(example.failure, errorCodes[example.failure].message, {
        issue: example.issues[0],
      }),
    ]),
  ),
  OtherFailure: errorEntry("TOO_MANY_REQUESTS", errorCodes.TOO_MANY_REQUESTS.message, {
    description: "Any other error",
  }),
  NotModified: {
    description: "Not modified",
    headers: { ...commonHeaders, ...headersNamed("ETag") },
  },
  SnapshotNotModified: {
    description: "Not modified",
    headers: { ...commonHeaders, ...headersNamed("ETag", "Feed-Cursor") },
  },
};

const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** The response of an error, by its status: with an example that the operation can answer. */
export const failureResponse = (code: ErrorCode, example?: Failure) =>
  [
    String(errorCodes[code].status),
    ref(example === undefined ? responseName(code) : exampleName(example)),
  ] as const;

/** The response of every error that an operation does not declare by status. */
export const otherFailure = ref("OtherFailure");

/** The response when the client has the current version. */
export const notModified = ref("NotModified");

/** The same, with the point of the log that the response shows. */
export const snapshotNotModified = ref("SnapshotNotModified");

/** The response when the requested range is outside the file. */
export const outOfRange = ref("OutOfRange");
