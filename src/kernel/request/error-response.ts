import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { errorCodes } from "../../contract/error-codes.ts";
import { failureCatalog, type FailureCode } from "../../contract/failure-codes.ts";
import {
  Failure,
  badRequest,
  invalidInput,
  failure,
  type FailureBody,
  type InputIssue,
} from "../../platform/errors.ts";
import { maxBatchCalls } from "./http-batch.ts";

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
  if (error.cause instanceof SyntaxError) {
    return badRequest("invalid_json", "The input is not valid JSON.");
  }
  const refusal = refusals[error.code];
  return refusal === undefined ? undefined : failure(...refusal);
}

/** What tRPC itself refuses, in our words; any other of its errors is a defect. */
const refusals: {
  readonly [Code in TRPCError["code"]]?: readonly [code: FailureCode, message: string];
} = {
  BAD_REQUEST: [
    "invalid_request",
    `A batch has at most ${maxBatchCalls} calls, all of them queries or all mutations. ` +
      "Its input is an object, with the input of each call by its index.",
  ],
  NOT_FOUND: ["path_not_found", "Procedure not found."],
  METHOD_NOT_SUPPORTED: ["method_not_supported", "Queries have the method GET, mutations POST."],
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
  const code = issue.code === "custom" ? codeOf(issue.params) : issue.code;
  return [{ message: issue.message, path, code }];
}

const isInputCode = (code: unknown): code is InputIssue["code"] =>
  typeof code === "string" && Object.hasOwn(failureCatalog.BAD_REQUEST, code);

/** The code that a refinement names in its `params`. */
const codeOf = (params: Record<string, unknown> = {}) =>
  isInputCode(params["code"]) ? params["code"] : "custom";
