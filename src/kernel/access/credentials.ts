import { createHash } from "node:crypto";
import { Failure, invalidToken, noCredential } from "../../platform/errors.ts";
import type { Issuer } from "./issuer.ts";
import type { Credential } from "./credential.ts";
import type { GrantTokens } from "../../platform/crypto/grant-tokens.ts";
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

/** What reads the tokens of a request. */
type Readers = { tokens: AccessTokens; grantTokens: GrantTokens; issuer?: Issuer | undefined };

/**
 * Reads an `Authorization` header: a credential or a 401. The token of a grant must be for
 * `resource`, the address that is called.
 */
export async function readCredential(
  header: string | null | undefined,
  { tokens, grantTokens, issuer }: Readers,
  resource: string,
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
  if (grantTokens.names(token)) return readGrant(token, grantTokens, resource);
  const read = await tokens.read(token);
  return "session" in read
    ? { kind: "session", id: read.session, user: read.user }
    : invalidToken("credential_invalid", read.fault);
}

async function readGrant(token: string, grantTokens: GrantTokens, resource: string) {
  const read = await grantTokens.read(token);
  if ("fault" in read) return invalidToken("credential_invalid", read.fault);
  if (read.resource === resource) return { kind: "grant", id: read.grant } as const;
  return invalidToken(
    "credential_invalid",
    `The access token is for ${read.resource}, not for ${resource}.`,
  );
}
