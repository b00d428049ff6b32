import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { errorCodes } from "../../contract/error-codes.ts";
import type { FailureCode } from "../../contract/failure-codes.ts";
import {
  Failure,
  badRequest,
  invalidInput,
  failure,
  type FailureBody,
  type InputIssue,
} from "../../platform/errors.ts";

/** An error as it is answered. */
export type Answered = {
  body: FailureBody;
  status: number;
  headers: Record<string, string>;
  /** The message of the error behind it, for the log. */
  cause?: string | undefined;
};

/** Maps a thrown error to an error response; an unexpected one is a 500 with the request id. */
export function failureOf(error: unknown, requestId?: string): Answered {
  const { body, failure: code, headers, cause } = known(error) ?? unexpected(requestId);
  return {
    body,
    status: errorCodes[code].status,
    headers,
    cause: cause?.message,
  };
}

function known(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (!(error instanceof TRPCError)) return undefined;
  if (error.cause instanceof Failure) return error.cause;
  if (error.code === "BAD_REQUEST" && error.cause instanceof z.core.$ZodError) {
    return invalidInput(inputIssues(error.cause));
  }
  if (error.code === "PARSE_ERROR") {
    return badRequest("invalid_json", "The body is not valid JSON.");
  }
  const code = codes[error.code];
  return code === undefined ? undefined : failure(code, error.message);
}

/** What tRPC itself refuses; any other error of its own is a defect. */
const codes: { readonly [Code in TRPCError["code"]]?: FailureCode } = {
  BAD_REQUEST: "invalid_request",
  NOT_FOUND: "path_not_found",
  METHOD_NOT_SUPPORTED: "method_not_supported",
  UNSUPPORTED_MEDIA_TYPE: "not_json",
  PAYLOAD_TOO_LARGE: "body_too_large",
};

const unexpected = (requestId: string | undefined) =>
  failure(
    "unexpected",
    requestId === undefined ? "The service failed." : `The request id is ${requestId}.`,
  );

/** The issues of an input that its schema refuses. */
export const inputIssues = ({ issues }: z.core.$ZodError): InputIssue[] => issues.flatMap(issuesOf);

function issuesOf(issue: z.core.$ZodIssue): InputIssue[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      message: "Unknown field",
      path: [...path, key],
      code: issue.code,
    }));
  }
  return [{ message: issue.message, path, code: issue.code }];
}
