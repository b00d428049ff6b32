import type { IdentityClaims } from "../../kernel/access/identity-claims.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import type { SecondFactor } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UsedPasskey } from "../factors/passkey.ts";
import { normalized, takeRecoveryCode } from "./recovery-codes.ts";
import { stepOf } from "./totp.ts";

/** Nobody but this file can make one. */
class Verified {
  readonly #isVerified = true;

  get isVerified(): boolean {
    return this.#isVerified;
  }
}

/** That a second factor was shown: a session of an account that has one needs it. */
export type VerifiedFactor = Verified;

/** The second factor that the issuer of an identity has asked for; undefined unless it says so. */
export const factorOfIssuer = ({ mfa }: IdentityClaims): VerifiedFactor | undefined =>
  mfa === true ? new Verified() : undefined;

/** Where the secret of an app for authentication is sealed: for its own row. */
export const purposeOf = (publicId: string) => `second factor ${publicId}`;

/** Uses the code of an app, or a recovery code, of a locked account; undefined for a wrong one. */
export async function useCode(
  tx: UnitOfWork,
  seal: Seal,
  userId: bigint,
  { code, factors }: { code: string; factors: SecondFactor[] },
): Promise<VerifiedFactor | undefined> {
  const typed = normalized(code);
  const isUsed = /^[0-9]{6}$/.test(typed)
    ? await useTotp(tx, seal, typed, factors)
    : await takeRecoveryCode(tx, userId, typed);
  return isUsed ? new Verified() : undefined;
}

async function useTotp(
  { query, now }: UnitOfWork,
  seal: Seal,
  code: string,
  factors: SecondFactor[],
): Promise<boolean> {
  const factor = factors.find(({ type }) => type === "totp");
  if (factor === undefined) return false;
  const secret = open(seal, factor);
  const step = secret && stepOf(secret, code, now, Number(factor.lastStep));
  if (secret === undefined || step === undefined) return false;
  // It is sealed again, with the present secret of the service.
  const sealed = seal.seal(purposeOf(factor.publicId), secret.toString("base64"));
  const rows = await query(sql`UPDATE second_factors SET "lastStep" = ${step}::bigint,
      secret = ${sealed}, "lastUsedAt" = ${now}::timestamptz
    WHERE id = ${factor.id} AND "lastStep" < ${step}::bigint RETURNING 1`);
  return rows.length > 0;
}

/** The secret of an app; undefined if it was sealed with a secret that the service no longer has. */
function open(seal: Seal, { publicId, secret }: SecondFactor): Buffer | undefined {
  try {
    return Buffer.from(seal.open(purposeOf(publicId), secret ?? ""), "base64");
  } catch (error) {
    if (error instanceof Unsealable) return undefined;
    throw error;
  }
}

/** Uses a passkey that has signed; undefined for one that was removed, or copied, meanwhile. */
export async function usePasskey(
  { query, now }: UnitOfWork,
  userId: bigint,
  { id, counter }: UsedPasskey,
): Promise<VerifiedFactor | undefined> {
  // Passkeys that are on several devices do not count: theirs stays 0.
  const rows = await query(sql`UPDATE second_factors SET counter = ${counter},
      "lastUsedAt" = ${now}::timestamptz
    WHERE id = ${id} AND "userId" = ${userId}
      AND (counter < ${counter} OR counter = 0 AND ${counter}::bigint = 0) RETURNING 1`);
  return rows.length > 0 ? new Verified() : undefined;
}
