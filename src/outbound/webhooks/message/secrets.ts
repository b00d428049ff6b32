import type { Seal } from "../../../platform/crypto/seal.ts";
import type { Webhook } from "../../../platform/db/rows.ts";

/** A webhook's encrypted secrets. */
export type StoredSecrets = Pick<Webhook, "secret" | "previousSecret" | "previousSecretExpiresAt">;

const purpose = "webhook";

/** Encrypts a secret for the database. */
export const sealSecret = (seal: Seal, secret: string) => seal.seal(purpose, secret);

/** The secrets that sign now: the current one, and the previous one until it expires. */
export function openSecrets(seal: Seal, webhook: StoredSecrets, now: Date): string[] {
  const { secret, previousSecret, previousSecretExpiresAt } = webhook;
  const overlaps = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
  const sealed = previousSecret !== null && overlaps ? [secret, previousSecret] : [secret];
  return sealed.map((text) => seal.open(purpose, text));
}
