import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import type { SecondFactorChallenge } from "../contract/resources/second-factor.ts";
import { allErrorCodes, errorCodes, type ErrorCode } from "../contract/error-codes.ts";
import { retryAfterSeconds } from "../contract/retry-after.ts";
import { failureCatalog, type FailureCode, type FailureCodeOf } from "../contract/failure-codes.ts";
import type { Permission } from "../contract/vocabulary/permissions.ts";

/** Data of a problem for programs: the limit of a list, and how many cards it would have. */
export type IssueData = { limit: number; count: number };

type IssueOf<Code extends FailureCode> = {
  message: string;
  path?: (string | number)[];
  code: Code;
  data?: IssueData;
  /** How a sign-in goes on that waits for a second factor. */
  secondFactor?: z.infer<typeof SecondFactorChallenge>;
};

/** One problem of a request. `path` leads from the root of the input to the field. */
export type Issue = IssueOf<FailureCode>;

/** A problem of an input. */
export type InputIssue = IssueOf<FailureCodeOf<"BAD_REQUEST">>;

/** The body of an error response. */
export type FailureBody = {
  code: ErrorCode;
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
const isTrpcCode = (code: ErrorCode): code is Exclude<ErrorCode, HttpOnly> =>
  !httpOnly.some((httpCode) => httpCode === code);

/** The error that each code of an issue belongs to. */
const errorOf = new Map<string, ErrorCode>(
  allErrorCodes.flatMap((error) =>
    Object.keys(failureCatalog[error]).map((code) => [code, error] as const),
  ),
);

/** An error of the API. Thrown below a procedure, it becomes the response. */
export class Failure extends TRPCError {
  readonly failure: ErrorCode;
  readonly issues: Issue[];
  readonly headers: Record<string, string>;
  /** The index of the operation of a batch that failed. */
  failedAt: number | undefined;

  constructor(
    error: ErrorCode,
    issues: Issue[],
    headers: Record<string, string> = {},
    cause?: unknown,
  ) {
    super({
      code: isTrpcCode(error) ? error : "BAD_REQUEST",
      message: errorCodes[error].message,
      cause,
    });
    this.failure = error;
    this.issues = issues.slice(0, maxIssues);
    const [issue] = issues;
    const seconds = issue && retryAfterSeconds[issue.code];
    this.headers = {
      ...(seconds === undefined ? {} : { "Retry-After": String(seconds) }),
      ...headers,
    };
  }

  /** The body of the response. */
  get body(): FailureBody {
    const { failure: code, issues, failedAt, message } = this;
    return { code, message, issues, ...(failedAt === undefined ? {} : { failedAt }) };
  }
}

/** The failure in a thrown error that refuses the call; undefined for a fault of the service. */
export function refusalIn(error: unknown): Failure | undefined {
  const cause = error instanceof TRPCError && error.cause instanceof Failure ? error.cause : error;
  if (!(cause instanceof Failure)) return undefined;
  return errorCodes[cause.failure].status < 500 ? cause : undefined;
}

/** The optional parts of a failure. */
type FailureOptions = {
  path?: (string | number)[];
  headers?: Record<string, string>;
  /** More of the issue, for programs. */
  more?: Pick<Issue, "secondFactor">;
  /** The error behind it, for the log. */
  cause?: unknown;
};

/** The failure of a code of the catalogue, with one issue. */
export function failure(
  code: FailureCode,
  message: string,
  { path, headers = {}, more, cause }: FailureOptions = {},
): Failure {
  const issue = { message, ...(path && { path }), code, ...more };
  return new Failure(errorOf.get(code) ?? "INTERNAL_SERVER_ERROR", [issue], headers, cause);
}

const singleIssue =
  <Error extends ErrorCode>() =>
  (code: FailureCodeOf<Error>, message: string, path?: (string | number)[]) =>
    failure(code, message, path === undefined ? {} : { path });

/** 400: the input at `path` is invalid. */
export const badRequest = singleIssue<"BAD_REQUEST">();

/** 400 with any number of issues. */
export const invalidInput = (issues: InputIssue[]) => new Failure("BAD_REQUEST", issues);

/** 401 without an issue: no credential was sent. */
export const noCredential = () => new Failure("UNAUTHORIZED", []);

/** 401: the call proves its identity by other means, and they are invalid. */
export const unauthorized = singleIssue<"UNAUTHORIZED">();

/** 401: the credential was sent and is invalid. */
export const invalidToken = (code: FailureCodeOf<"UNAUTHORIZED">, message: string) =>
  failure(code, message, { headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' } });

/** 403: the caller may not do this. */
export const forbidden = singleIssue<"FORBIDDEN">();

/** 403: the caller lacks a permission. */
export const missingPermission = (permission: Permission) =>
  failure(permission, `This operation requires the permission ${permission}.`);

type Kind<Code> = Code extends `${infer Name}_not_found` ? Name : never;

/** A kind of resource of which one may not be found. */
export type NotFoundKind = Kind<FailureCodeOf<"NOT_FOUND">>;

/** 404: `kind` names the kind of resource, never its id. */
export const notFound = (kind: NotFoundKind) =>
  failure(`${kind}_not_found`, `${wordsOf(kind)} not found.`);

/** The issue of an id at `path` of the input that names no resource of a kind. */
export const issueOfMissing = (
  kind: NotFoundKind,
  id: string,
  path: (string | number)[],
): Issue => ({
  message: `${wordsOf(kind)} ${id} not found.`,
  path,
  code: `${kind}_not_found`,
});

/** `checklistItem` becomes `Checklist item`. */
const wordsOf = (kind: string) => {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1).replace("api key", "API key");
};

/** 409: the state of the resource does not allow the operation. */
export const conflict = singleIssue<"CONFLICT">();

/** 502: a third party failed or sent an invalid response. */
export const badGateway = singleIssue<"BAD_GATEWAY">();

/** 503: the client may retry after the seconds of the code, or after `seconds`. */
export const unavailable = (
  code: FailureCodeOf<"SERVICE_UNAVAILABLE">,
  message: string,
  { seconds, cause }: { seconds?: number; cause?: unknown } = {},
) => failure(code, message, { cause, ...(seconds && { headers: retryAfter(seconds) }) });

/** 429: the client may retry after `seconds`. */
export const tooManyRequests = (
  code: FailureCodeOf<"TOO_MANY_REQUESTS">,
  message: string,
  seconds: number,
  headers: Record<string, string> = {},
) => failure(code, message, { headers: { ...retryAfter(seconds), ...headers } });

const retryAfter = (seconds: number) => ({
  "Retry-After": String(Math.max(1, Math.ceil(seconds))),
});
