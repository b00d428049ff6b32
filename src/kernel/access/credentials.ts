import { createHash } from "node:crypto";
import { Failure, unauthorized } from "../../platform/errors.ts";
import type { Issuer } from "./issuer.ts";
import type { Credential } from "./credential.ts";
import type { Tokens } from "../../platform/crypto/tokens.ts";

/** The credential of a caller; throws what is wrong with one that is none. */
export function requireCredential({
  credential,
}: {
  credential: Credential | Failure;
}): Credential {
  if (credential instanceof Failure) throw credential;
  return credential;
}

/** Every API key starts so. */
export const apiKeyPrefix = "wbs_";

/** SHA-256 of a secret, in hex: what the database keeps in its place. */
export const fingerprint = (text: string) => createHash("sha256").update(text).digest("hex");

/** Reads an `Authorization` header: a credential, or the 401 that it deserves. */
export async function readCredential(
  header: string | null | undefined,
  { tokens, issuer }: { tokens: Tokens; issuer?: Issuer | undefined },
): Promise<Credential | Failure> {
  if (!header) return unauthorized();
  const token = /^Bearer +([^\s]+)\s*$/i.exec(header)?.[1];
  if (token === undefined) {
    return unauthorized("The Authorization header must read: Bearer, a space, and the credential.");
  }
  if (token.startsWith(apiKeyPrefix)) return { kind: "apiKey", id: fingerprint(token) };
  if (issuer?.names(token)) return issuer.read(token);
  const read = await tokens.read(token);
  return "session" in read
    ? { kind: "session", id: read.session, user: read.user }
    : unauthorized(read.fault);
}
