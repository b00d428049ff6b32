import { TRPCError } from "@trpc/server";

/** One thing that was wrong, and where: `path` leads from the input's root to it. */
export type Issue = { message: string; path?: (string | number)[]; code?: string };

/** Every failure that the service answers with: its status and its standard message. */
export const failures = {
  BAD_REQUEST: { status: 400, message: "Invalid input data" },
  UNAUTHORIZED: { status: 401, message: "Authorization not provided" },
  FORBIDDEN: { status: 403, message: "Insufficient access" },
  NOT_FOUND: { status: 404, message: "Not found" },
  METHOD_NOT_SUPPORTED: { status: 405, message: "Method not allowed" },
  CONFLICT: { status: 409, message: "Conflict" },
  PRECONDITION_FAILED: { status: 412, message: "Precondition failed" },
  PAYLOAD_TOO_LARGE: { status: 413, message: "Payload too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Unsupported media type" },
  UNPROCESSABLE_CONTENT: { status: 422, message: "Unprocessable content" },
  TOO_MANY_REQUESTS: { status: 429, message: "Too many requests" },
  INTERNAL_SERVER_ERROR: { status: 500, message: "Internal server error" },
  BAD_GATEWAY: { status: 502, message: "Bad gateway" },
  SERVICE_UNAVAILABLE: { status: 503, message: "Service unavailable" },
} as const;

/** A code of the catalogue. */
export type FailureCode = keyof typeof failures;

/** The body of every failed answer. */
export type FailureBody = { code: FailureCode; message: string; issues: Issue[] };

/** A failure of the catalogue, thrown anywhere below a procedure and answered as it is. */
export class Failure extends TRPCError {
  readonly failure: FailureCode;
  readonly issues: Issue[];
  readonly headers: Record<string, string>;

  constructor(code: FailureCode, issues: Issue[] = [], headers: Record<string, string> = {}) {
    super({ code, message: failures[code].message });
    this.failure = code;
    this.issues = issues;
    this.headers = headers;
  }

  /** The answer's body. */
  get body(): FailureBody {
    return { code: this.failure, message: failures[this.failure].message, issues: this.issues };
  }
}

const one = (code: FailureCode) => (message: string, path?: (string | number)[]) =>
  new Failure(code, [path === undefined ? { message } : { message, path }]);

/** 400: the input is wrong at `path`. */
export const badRequest = one("BAD_REQUEST");

/** 401: no credential, or (with a sentence) one that is not good any more. */
export const unauthorized = (why?: string) =>
  new Failure("UNAUTHORIZED", why === undefined ? [] : [{ message: why }]);

/** 403: `what` is the missing permission or a sentence. */
export const forbidden = (what: string) =>
  new Failure("FORBIDDEN", [
    /^[a-z]+:[a-z]+$/.test(what)
      ? { message: `This needs the permission ${what}.`, code: what }
      : { message: what },
  ]);

/** 404: `what` names the kind of thing, never its id. */
export const notFound = (what: string) =>
  new Failure("NOT_FOUND", [{ message: `There is no such ${what}.`, code: `${what}_not_found` }]);

/** 409: the state of things forbids it. */
export const conflict = one("CONFLICT");

/** 502: another service failed or answered nonsense. */
export const badGateway = one("BAD_GATEWAY");

/** 503: try again after `seconds`. */
export const unavailable = (message: string, seconds = 1) =>
  new Failure("SERVICE_UNAVAILABLE", [{ message }], { "Retry-After": String(seconds) });

/** 429: try again after `seconds`. */
export const tooManyRequests = (
  message: string,
  seconds: number,
  headers: Record<string, string> = {},
) =>
  new Failure("TOO_MANY_REQUESTS", [{ message }], {
    "Retry-After": String(Math.max(1, Math.ceil(seconds))),
    ...headers,
  });
