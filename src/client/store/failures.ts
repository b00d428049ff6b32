import { BoardServiceError } from "../errors.ts";
import { delayOf } from "../transport.ts";
import type { FailureReason } from "./types.ts";

/** How often a request is repeated that makes the service fail. */
const maxFaults = 5;

/** The wait before the next attempt after an error; undefined when it cannot succeed. */
export type RetryDelay = (error: unknown) => number | undefined;

/** Whether the service has failed, or a gateway before it. */
export const isFault = (error: unknown): boolean =>
  ((error as Partial<BoardServiceError>).status ?? 0) >= 500;

/** The waits between the attempts of one request. An unreachable service is not a fault. */
export function retryDelays(): RetryDelay {
  let faults = 0;
  let attempts = 0;
  return (error) => {
    // An error of this program is final.
    const { status = 400, issues = [] } = error as Partial<BoardServiceError>;
    const mayPass =
      [0, 401, 408, 425, 429, 502, 503, 504].includes(status) ||
      issues.some(({ code }) => code === "idempotency_key_in_flight") ||
      (isFault(error) && faults++ < maxFaults);
    return mayPass ? delayOf(attempts++) : undefined;
  };
}

/** Whether the caller cannot see the resource. A page of a proxy says nothing about access. */
export const isDenied = ({ code }: BoardServiceError): boolean =>
  code === "FORBIDDEN" || code === "NOT_FOUND";

/** The part of an error that is stored. */
export function reasonOf(error: unknown): FailureReason {
  if (error instanceof BoardServiceError) {
    const { status, code, message, issues } = error;
    return { status, code, message, issues };
  }
  return { status: 0, code: "CLIENT_ERROR", message: String(error), issues: [] };
}

/** The error of what cannot be seen. */
export const denied = (): BoardServiceError =>
  new BoardServiceError({
    status: 403,
    code: "FORBIDDEN",
    message: "You cannot see the board.",
  });

/** The error of what a signed-out user has seen. */
export const signedOut = (): BoardServiceError =>
  new BoardServiceError({ status: 401, code: "UNAUTHORIZED", message: "The session has ended." });
