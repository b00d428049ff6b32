import { Failure } from "../../platform/errors.ts";
import { credentialExpired } from "../access/authorize.ts";
import { findCaller } from "../access/find-caller.ts";
import { middleware } from "../request/trpc.ts";

const inputErrors: ReadonlySet<string> = new Set([
  "BAD_REQUEST",
  "PARSE_ERROR",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
]);

/** Answers 401 instead of an error of the input when the credential is invalid. */
export const maskInputErrors = middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || !inputErrors.has(result.error.code)) return result;
  const { credential, deps, authentication } = ctx;
  if (authentication.credentialVerified || credential instanceof Failure) return result;
  const caller = await findCaller(deps.db.read, credential, deps.clock());
  if (caller === null) throw credentialExpired();
  return result;
});
