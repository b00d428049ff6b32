import { createHash } from "node:crypto";
import { Failure, invalidToken, noCredential } from "../../platform/errors.ts";
import type { Issuer } from "./issuer.ts";
import type { Credential } from "./credential.ts";
import type { AccessTokens } from "../../platform/crypto/tokens.ts";

/** The credential of a request; throws the 401 of an invalid one. */
export function requireCredential({
  credential,
}: {
  credential: Credential | Failure;
}): Credential {
  if (credential instanceof Failure) throw credential;
  return credential;
}

/** The start of every API key. */
export const apiKeyPrefix = "wbs_";

/** SHA-256 of a secret, in hex: the database stores it instead of the secret. */
export const fingerprint = (text: string) => createHash("sha256").update(text).digest("hex");

/** Reads an `Authorization` header: a credential or a 401. */
export async function readCredential(
  header: string | null | undefined,
  { tokens, issuer }: { tokens: AccessTokens; issuer?: Issuer | undefined },
): Promise<Credential | Failure> {
  if (!header) return noCredential();
  const token = /^Bearer +([^\s]+)\s*$/i.exec(header)?.[1];
  if (token === undefined) {
    return invalidToken(
      "credential_invalid",
      "The Authorization header must read: Bearer, a space, and the credential.",
    );
  }
  if (token.startsWith(apiKeyPrefix)) return { kind: "apiKey", id: fingerprint(token) };
  if (issuer?.names(token)) return issuer.read(token);
  const read = await tokens.read(token);
  return "session" in read
    ? { kind: "session", id: read.session, user: read.user }
    : invalidToken("credential_invalid", read.fault);
}
