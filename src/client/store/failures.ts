import { BoardServiceError } from "../errors.ts";
import type { FailureReason } from "./types.ts";

/** How often a change is sent that makes the service fail. */
const maxFaults = 5;

/** Whether a change may succeed when it is sent again, after `attempts`. */
export function mayPass(error: unknown, attempts: number): boolean {
  if (!(error instanceof BoardServiceError)) return false;
  const { status, issues } = error;
  if ([0, 401, 408, 425, 429, 502, 503, 504].includes(status)) return true;
  if (issues.some(({ code }) => code === "idempotency_key_in_flight")) return true;
  return status >= 500 && attempts < maxFaults;
}

/** Whether the caller cannot see the resource. */
export const isDenied = (error: unknown): boolean =>
  error instanceof BoardServiceError && (error.status === 403 || error.status === 404);

/** The part of an error that is stored. */
export function reasonOf(error: unknown): FailureReason {
  if (error instanceof BoardServiceError) {
    const { status, code, message, issues } = error;
    return { status, code, message, issues };
  }
  return { status: 0, code: "CLIENT_ERROR", message: String(error), issues: [] };
}

/** The error that was stored. */
export const errorFrom = (reason: FailureReason): BoardServiceError =>
  new BoardServiceError(reason);

/** The error of what cannot be seen. */
export const denied = (message = "You cannot see the board."): BoardServiceError =>
  new BoardServiceError({ status: 403, code: "FORBIDDEN", message });

/** The error of what a signed-out user has seen. */
export const signedOut = (): BoardServiceError =>
  new BoardServiceError({ status: 401, code: "UNAUTHORIZED", message: "The session has ended." });
