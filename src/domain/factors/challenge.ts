import { randomBytes } from "node:crypto";
import type { SecondFactorChallenge } from "../../contract/resources/second-factor.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Query } from "../../platform/db/query.ts";
import type { SecondFactor } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { requestOptions } from "./passkey.ts";

const challengeMs = 5 * 60_000;

type Reader = Pick<UnitOfWork, "query">;

/** The second factors of an account, oldest first. */
export const readFactors = ({ query }: { query: Query }, userId: bigint): Promise<SecondFactor[]> =>
  query<SecondFactor>(sql`SELECT * FROM second_factors WHERE "userId" = ${userId} ORDER BY id`);

/** How many recovery codes an account has left. */
export async function countRecoveryCodes({ query }: Reader, userId: bigint): Promise<number> {
  const [row] = await query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM recovery_codes WHERE "userId" = ${userId}`,
  );
  return row?.count ?? 0;
}

/** Stores a sign-in that waits for the second factor of an account. */
export async function createChallenge(
  tx: Pick<UnitOfWork, "query" | "now">,
  { baseUrl }: Pick<Deps, "baseUrl">,
  userId: bigint,
): Promise<SecondFactorChallenge> {
  const challenge = randomBytes(32).toString("base64url");
  const expiresAt = new Date(tx.now.getTime() + challengeMs);
  await tx.query(sql`INSERT INTO sign_in_challenges
      ("userId", "challengeHash", "createdAt", "expiresAt")
    VALUES (${userId}, ${fingerprint(challenge)}, ${tx.now}::timestamptz,
      ${expiresAt}::timestamptz)`);
  const factors = await readFactors(tx, userId);
  const types = [...new Set(factors.map(({ type }) => type))].filter(
    (type) => type === "totp" || type === "passkey",
  );
  const hasCodes = (await countRecoveryCodes(tx, userId)) > 0;
  return {
    challenge,
    expiresAt: iso(expiresAt),
    factors: [...types, ...(hasCodes ? ["recovery_code" as const] : [])],
    passkey: requestOptions({ baseUrl }, factors, challenge),
  };
}

/** The account that a challenge is for; undefined for one that is unknown or has expired. */
export async function accountOfChallenge(
  query: Query,
  challenge: string,
  now: Date,
): Promise<bigint | undefined> {
  const [row] = await query<{ userId: bigint }>(sql`SELECT "userId" FROM sign_in_challenges
    WHERE "challengeHash" = ${fingerprint(challenge)} AND "expiresAt" > ${now}::timestamptz`);
  return row?.userId;
}

/** Uses up a challenge; false for one that was used meanwhile, or has expired. */
export async function takeChallenge(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  challenge: string,
): Promise<boolean> {
  const rows = await query(sql`DELETE FROM sign_in_challenges
    WHERE "challengeHash" = ${fingerprint(challenge)} AND "expiresAt" > ${now}::timestamptz
    RETURNING 1`);
  return rows.length > 0;
}
