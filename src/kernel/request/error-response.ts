import { TRPCError } from "@trpc/server";
import { z } from "zod";
import {
  Failure,
  failures,
  type FailureBody,
  type FailureCode,
  type Issue,
} from "../../platform/errors.ts";

/** An error as it is answered. */
export type Answered = {
  body: FailureBody;
  status: number;
  headers: Record<string, string>;
};

/** Maps a thrown error to an error response; an unexpected one is a 500 with the request id. */
export function failureOf(error: unknown, requestId?: string): Answered {
  const failure = known(error) ?? unexpected(requestId);
  return { body: failure.body, status: failures[failure.failure].status, headers: failure.headers };
}

function known(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (!(error instanceof TRPCError)) return undefined;
  if (error.cause instanceof Failure) return error.cause;
  if (error.code === "BAD_REQUEST" && error.cause instanceof z.core.$ZodError) {
    return new Failure("BAD_REQUEST", error.cause.issues.flatMap(issuesOf));
  }
  if (error.code === "PARSE_ERROR") {
    return new Failure("BAD_REQUEST", [{ message: "The body is not valid JSON." }]);
  }
  if (error.code === "INTERNAL_SERVER_ERROR" || !isCode(error.code)) return undefined;
  return new Failure(error.code, [{ message: error.message }]);
}

const isCode = (code: string): code is FailureCode => Object.hasOwn(failures, code);

const unexpected = (requestId: string | undefined) =>
  new Failure(
    "INTERNAL_SERVER_ERROR",
    requestId === undefined ? [] : [{ message: `The request id is ${requestId}.` }],
  );

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
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
