import { Failure } from "../../platform/errors.ts";
import { middleware } from "../request/trpc.ts";
import { checkAdminKey } from "../request/admin-key.ts";
import type { Rule } from "../../contract/policy.ts";

/** Whether an operation needs a credential. */
export const needsCredential = (on: Rule["on"]) => on !== "public" && on !== "operator";

/** Requires the credential or the operator's key that a rule asks for. */
export const authenticate = (on: Rule["on"]) =>
  middleware(async ({ ctx, next, type }) => {
    const { credential, deps, adminKey, requestMetadata, httpBatch } = ctx;
    if (on === "operator") await checkAdminKey(deps, adminKey, requestMetadata.ip);
    if (needsCredential(on) && credential instanceof Failure) throw credential;
    return httpBatch === undefined ? next() : httpBatch.run(next, type === "mutation");
  });
