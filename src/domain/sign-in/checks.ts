import { randomBytes } from "node:crypto";

/** What the start of a sign-in keeps, against which its end is checked. */
export type Checks = { state: string; nonce: string; verifier: string };

/** A text that nobody can guess. */
export const randomText = (): string => randomBytes(32).toString("base64url");

/** The checks of a new sign-in. */
export const newChecks = (): Checks => ({
  state: randomText(),
  nonce: randomText(),
  verifier: randomText(),
});
