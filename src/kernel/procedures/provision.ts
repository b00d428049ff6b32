import { Failure } from "../../platform/errors.ts";
import { provisionUser } from "../access/provision.ts";
import { middleware } from "../request/trpc.ts";

/** Makes an account for an unknown subject of the trusted issuer, and repeats the call. */
export const provision = middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || result.error.code !== "UNAUTHORIZED") return result;
  const { credential, deps } = ctx;
  if (credential instanceof Failure || credential.claims === undefined) return result;
  await provisionUser(deps, credential.claims);
  return next();
});
