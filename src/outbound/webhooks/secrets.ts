import type { Seal } from "../../platform/crypto/seal.ts";
import type { Webhook } from "../../platform/db/rows.ts";

/** A webhook's secrets as they are stored. */
export type Sealed = Pick<Webhook, "secret" | "previousSecret" | "previousSecretExpiresAt">;

const purpose = "webhook";

/** A secret as it is stored. */
export const sealed = (seal: Seal, secret: string) => seal.seal(purpose, secret);

/** The secrets that sign now: the current one, and until it expires the one before. */
export function secretsOf(seal: Seal, webhook: Sealed, now: Date): string[] {
  const { secret, previousSecret, previousSecretExpiresAt } = webhook;
  const overlaps = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
  return [secret, ...(previousSecret !== null && overlaps ? [previousSecret] : [])].map((one) =>
    seal.open(purpose, one),
  );
}
