import { Failure } from "../../platform/errors.ts";
import { provisionUser } from "../access/provision.ts";
import { middleware } from "../request/trpc.ts";

/**
 * Updates the account of a subject by the trusted issuer's token.
 *
 * It makes an account for an unknown subject, and repeats the call.
 */
export const provision = middleware(async ({ ctx, next }) => {
  const { credential, deps } = ctx;
  if (credential instanceof Failure || credential.claims === undefined) return next();
  await deps.syncProfile(deps, credential.claims);
  const result = await next();
  if (result.ok || result.error.code !== "UNAUTHORIZED") return result;
  await provisionUser(deps, credential.claims);
  await deps.syncProfile(deps, credential.claims);
  return next();
});
