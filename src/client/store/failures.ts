import { BoardServiceError } from "../errors.ts";
import type { FailureReason } from "./types.ts";

/** How often a request is repeated that makes the service fail. */
const maxFaults = 5;

/** Whether a request may succeed when it is sent again, after so many faults of the service. */
export type MayPass = (error: unknown) => boolean;

/** Counts the faults of one request. An unreachable service is no fault. */
export function countFaults(): MayPass {
  let faults = 0;
  return (error) => {
    // An error of this program is final.
    const { status = 400, issues = [] } = error as Partial<BoardServiceError>;
    if ([0, 401, 408, 425, 429, 502, 503, 504].includes(status)) return true;
    if (issues.some(({ code }) => code === "idempotency_key_in_flight")) return true;
    return status >= 500 && faults++ < maxFaults;
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
