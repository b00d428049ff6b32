import type { IdentityClaims } from "./identity-claims.ts";

/** What a request came with: a session by its public id, an API key by its SHA-256, or a token of the trusted issuer by issuer and subject. `user` is whom a token was issued to, `person` whom the issuer tells of. Whether it is still good is for `locate` to say, but for an issuer's token, of whose end only itself tells: `goodUntil`, in ms. */
export type Credential = {
  kind: "session" | "apiKey" | "issuer";
  id: string;
  user?: string;
  claims?: IdentityClaims;
  expiresAt?: number;
};
