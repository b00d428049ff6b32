import { z } from "zod";
import type { IdentityClaims } from "./identity-claims.ts";

/** The kinds of credentials. A grant is the key of an app that a person has connected. */
export const credentialKinds = z.enum(["session", "apiKey", "grant", "issuer"]);

type CredentialKind = z.infer<typeof credentialKinds>;

/** Whether a credential is a key, with limits of its own: an API key, or the grant of an app. */
export const isKey = ({ kind }: Credential): boolean => kind === "apiKey" || kind === "grant";

/** The credential of a request. Only the database knows whether it is still valid. */
export type Credential = {
  kind: CredentialKind;
  /**
   * The public id of a session or of a grant, an API key's SHA-256, or an issuer and subject as
   * JSON, with `mfa` if the token says that two factors were proved.
   */
  id: string;
  /** The public id of the user that the token was issued to. */
  user?: string;
  /** The claims of the trusted issuer. */
  claims?: IdentityClaims;
  /** When an issuer's token expires, in ms. */
  expiresAt?: number;
};
