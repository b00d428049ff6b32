import { Failure } from "../../platform/errors.ts";
import { middleware } from "../request/trpc.ts";

/** Counts unknown API keys for the client's address; 429 past the limit. */
export const countBadCredentials = middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || result.error.code !== "UNAUTHORIZED") return result;
  const { credential, deps, requestMetadata } = ctx;
  const isKey = !(credential instanceof Failure) && credential.kind === "apiKey";
  if (isKey) await deps.limits.badCredential(requestMetadata.ip);
  return result;
});
