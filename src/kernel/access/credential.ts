import type { IdentityClaims } from "./identity-claims.ts";

/** The credential of a request. Only the database knows whether it is still valid. */
export type Credential = {
  kind: "session" | "apiKey" | "issuer";
  /** A session's public id, an API key's SHA-256, or an issuer and subject as JSON. */
  id: string;
  /** The public id of the user that the token was issued to. */
  user?: string;
  /** The claims of the trusted issuer. */
  claims?: IdentityClaims;
  /** When an issuer's token expires, in ms. */
  expiresAt?: number;
};
