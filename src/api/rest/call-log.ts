import type { LoggedCaller } from "../../kernel/request/context.ts";
import { failureOf } from "../../kernel/request/error-response.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** What the log says about a request: who calls, its operations, the code and cause of a failure. */
export type CallLog = LoggedCaller & {
  operation?: string;
  failure?: string;
  cause?: string | undefined;
};

const calls = new WeakMap<Request, CallLog>();

/** The log entry of a request so far. */
export const callLogOf = (request: Request): CallLog => getOrInsert(calls, request, () => ({}));

/** Copies the log entry of an inner request into the gaps of the outer one's. */
export function copyCallLog(from: Request, to: Request): void {
  Object.assign(callLogOf(to), { ...callLogOf(from), ...callLogOf(to) });
}

/** Records the operations of a request for its line in the log. */
export function recordOperation(request: Request, operation: string): void {
  callLogOf(request).operation = operation;
}

/** Records the first failure of a request: the code of its first issue, or of the error. */
export function recordFailure(request: Request, error: unknown): void {
  const { body, cause } = failureOf(error);
  const failure = body.issues?.find(({ code }) => code !== undefined)?.code ?? body.code;
  Object.assign(callLogOf(request), { failure, cause, ...callLogOf(request) });
}
