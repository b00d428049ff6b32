import { Failure, notFound } from "../../platform/errors.ts";
import { checkAdminKey } from "../request/admin-key.ts";
import type { Context } from "../request/context.ts";
import { credentialExpired } from "../access/authorize.ts";
import { findOperator } from "../access/find-caller.ts";

/**
 * Checks that an operator calls: with the `ADMIN_KEY`, or signed in to an operator's account.
 *
 * For others the operation does not exist (404). An invalid credential is 401, so that its client
 * renews it. An `announced` operation asks everybody for the key instead.
 */
export async function checkOperator(ctx: Context, isAnnounced: boolean): Promise<void> {
  const { adminKey, credential, deps, requestMetadata } = ctx;
  if (adminKey === undefined && !(credential instanceof Failure)) {
    const found = await findOperator(deps.db.read, credential, deps.clock());
    if (found?.isOperator === true) return;
    if (found === null && !isAnnounced) throw credentialExpired();
  }
  if (adminKey !== undefined || isAnnounced) {
    return checkAdminKey(deps, adminKey, requestMetadata.ip);
  }
  // Where no credential was sent, the failure has no issue.
  if (credential instanceof Failure && credential.issues.length > 0) throw credential;
  throw notFound("path");
}
