import { invalidToken } from "../../platform/errors.ts";
import { sql } from "../../platform/db/sql.ts";

/**
 * Which accounts may sign in and act: neither deleted nor disabled by an operator. Each way to
 * sign in, and each check of a credential, asks this.
 */
export const activeAccount = { deletedAt: null, disabledAt: null } as const;

/** SQL: the same of the account `u`. */
export const isActiveAccount = sql`u."deletedAt" IS NULL AND u."disabledAt" IS NULL`;

/** 401 for a disabled account, only to those who have proved that it is theirs. */
export function requireEnabled({ disabledAt }: { disabledAt: Date | null }): void {
  if (disabledAt === null) return;
  throw invalidToken("account_disabled", "An operator of this service has disabled the account.");
}
