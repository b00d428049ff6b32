import type { Config } from "../../platform/config.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { failure } from "../../platform/errors.ts";
import type { Caller } from "./callers.ts";

/** Whether the operator requires a second factor in every workspace. */
export type FactorSetting = Pick<Config, "REQUIRE_SECOND_FACTOR">;

/**
 * 403 for a caller without a second factor, where one is required.
 *
 * It is asked where members are authorized. What a caller reads of several workspaces at once
 * leaves these out: `isOpenTo`.
 */
export function requireFactor({ hasSecondFactor }: Pick<Caller, "hasSecondFactor">): void {
  if (hasSecondFactor) return;
  throw failure(
    "second_factor_missing",
    "A second factor is required here, and your account has none. Add one with " +
      "POST /second-factors/totp/start or POST /second-factors/passkeys/start.",
  );
}

/** SQL: whether a workspace asks no more of an account than it has. */
export const isOpenTo = (
  hasSecondFactor: Sql,
  requiresSecondFactor: Sql,
  { REQUIRE_SECOND_FACTOR }: FactorSetting,
): Sql =>
  REQUIRE_SECOND_FACTOR
    ? sql`(${hasSecondFactor})`
    : sql`(${hasSecondFactor} OR NOT ${requiresSecondFactor})`;
