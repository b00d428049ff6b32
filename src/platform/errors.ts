import { TRPCError } from "@trpc/server";

/** One problem of a request. `path` leads from the root of the input to the field. */
export type Issue = { message: string; path?: (string | number)[]; code?: string };

/** The errors of the API: status and standard message of each code. */
export const failures = {
  BAD_REQUEST: { status: 400, message: "Invalid input data" },
  UNAUTHORIZED: { status: 401, message: "Authorization not provided" },
  FORBIDDEN: { status: 403, message: "Insufficient access" },
  NOT_FOUND: { status: 404, message: "Not found" },
  METHOD_NOT_SUPPORTED: { status: 405, message: "Method not allowed" },
  NOT_ACCEPTABLE: { status: 406, message: "Not acceptable" },
  REQUEST_TIMEOUT: { status: 408, message: "Request timeout" },
  CONFLICT: { status: 409, message: "Conflict" },
  PRECONDITION_FAILED: { status: 412, message: "Precondition failed" },
  PAYLOAD_TOO_LARGE: { status: 413, message: "Payload too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Unsupported media type" },
  RANGE_NOT_SATISFIABLE: { status: 416, message: "Range not satisfiable" },
  EXPECTATION_FAILED: { status: 417, message: "Expectation failed" },
  UNPROCESSABLE_CONTENT: { status: 422, message: "Unprocessable content" },
  TOO_MANY_REQUESTS: { status: 429, message: "Too many requests" },
  REQUEST_HEADERS_TOO_LARGE: { status: 431, message: "Request headers too large" },
  INTERNAL_SERVER_ERROR: { status: 500, message: "Internal server error" },
  BAD_GATEWAY: { status: 502, message: "Bad gateway" },
  SERVICE_UNAVAILABLE: { status: 503, message: "Service unavailable" },
} as const;

/** A code of an error. */
export type FailureCode = keyof typeof failures;

/** The body of an error response. */
export type FailureBody = {
  code: FailureCode;
  message: string;
  issues: Issue[];
  failedAt?: number;
};

/** The number of issues that an error reports. */
const maxIssues = 50;

// tRPC has no code for these statuses of HTTP.
const httpOnly = [
  "NOT_ACCEPTABLE",
  "REQUEST_TIMEOUT",
  "RANGE_NOT_SATISFIABLE",
  "EXPECTATION_FAILED",
  "REQUEST_HEADERS_TOO_LARGE",
] as const;
type HttpOnly = (typeof httpOnly)[number];
const isTrpcCode = (code: FailureCode): code is Exclude<FailureCode, HttpOnly> =>
  !httpOnly.some((one) => one === code);

/** An error of the API. Thrown below a procedure, it becomes the response. */
export class Failure extends TRPCError {
  readonly failure: FailureCode;
  readonly issues: Issue[];
  readonly headers: Record<string, string>;
  /** The index of the operation of a batch that failed. */
  failedAt: number | undefined;

  constructor(code: FailureCode, issues: Issue[] = [], headers: Record<string, string> = {}) {
    super({ code: isTrpcCode(code) ? code : "BAD_REQUEST", message: failures[code].message });
    this.failure = code;
    this.issues = issues.slice(0, maxIssues);
    this.headers = headers;
  }

  /** The body of the response. */
  get body(): FailureBody {
    const { failure, issues, failedAt } = this;
    const body = { code: failure, message: failures[failure].message, issues };
    return failedAt === undefined ? body : { ...body, failedAt };
  }
}

const singleIssue = (code: FailureCode) => (message: string, path?: (string | number)[]) =>
  new Failure(code, [path === undefined ? { message } : { message, path }]);

/** 400: the input at `path` is invalid. */
export const badRequest = singleIssue("BAD_REQUEST");

/** 401: no credential, or an invalid one; then `why` is the issue. */
export const unauthorized = (why?: string) =>
  new Failure("UNAUTHORIZED", why === undefined ? [] : [{ message: why }]);

/** 401: the credential was sent and is invalid. */
export const invalidToken = (why: string) =>
  new Failure("UNAUTHORIZED", [{ message: why }], {
    "WWW-Authenticate": 'Bearer error="invalid_token"',
  });

/** 403: `what` is the missing permission or a sentence. */
export const forbidden = (what: string) =>
  new Failure("FORBIDDEN", [
    /^[a-z]+:[a-z]+$/.test(what)
      ? { message: `This operation requires the permission ${what}.`, code: what }
      : { message: what },
  ]);

/** 404: `kind` names the kind of resource, never its id. */
export const notFound = (kind: string) =>
  new Failure("NOT_FOUND", [{ message: `${wordsOf(kind)} not found.`, code: `${kind}_not_found` }]);

/** `checklistItem` becomes `Checklist item`. */
const wordsOf = (kind: string) => {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1).replace("api key", "API key");
};

/** 409: the state of the resource does not allow the operation. */
export const conflict = singleIssue("CONFLICT");

/** 502: a third party failed or sent an invalid response. */
export const badGateway = singleIssue("BAD_GATEWAY");

/** 503: the client may retry after `seconds`. */
export const unavailable = (message: string, seconds = 1, code?: string) =>
  new Failure("SERVICE_UNAVAILABLE", [{ message, ...(code === undefined ? {} : { code }) }], {
    "Retry-After": String(seconds),
  });

/** 429: the client may retry after `seconds`. */
export const tooManyRequests = (
  message: string,
  seconds: number,
  headers: Record<string, string> = {},
) =>
  new Failure("TOO_MANY_REQUESTS", [{ message }], {
    "Retry-After": String(Math.max(1, Math.ceil(seconds))),
    ...headers,
  });
