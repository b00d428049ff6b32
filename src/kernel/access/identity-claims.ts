import type { JWTPayload } from "jose";
import { z } from "zod";
import { Email } from "../../contract/vocabulary/email.ts";
import { nameOf as foreignName, shortened } from "../../platform/foreign-text.ts";

/** The name and the picture that a token has, and when it was issued, in seconds. */
export type IssuerProfile = { name?: string; picture?: string; issuedAt: number };

/** The identity that an issuer asserts. `email` is present only when the issuer verified it. */
export type IdentityClaims = {
  issuer: string;
  subject: string;
  email?: string;
  name: string;
  profile: IssuerProfile;
  /** Whether the issuer has asked for two factors. */
  mfa?: true;
  /** When the person signed in at the issuer, or else when the token was issued, in seconds. */
  signedInAt: number;
};

const longestSubject = 255;
const longestName = 255;
const Picture = z.url({ protocol: /^https$/ }).max(2048);

/** The identity in a token's claims; undefined without a subject that can be stored. */
export function claimsOf(issuer: string, claims: JWTPayload): IdentityClaims | undefined {
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > longestSubject) return undefined;
  if (sub.includes("\0") || !sub.isWellFormed()) return undefined;
  const email = addressOf(claims);
  const name = nameOf(claims);
  const picture = Picture.safeParse(claims["picture"]).data;
  return {
    issuer,
    subject: sub,
    ...(email === undefined ? {} : { email }),
    ...(hasTwoFactors(claims) ? { mfa: true as const } : {}),
    signedInAt: signedInAt(claims),
    // A part of the address would show it to members who may not see it.
    name: name ?? "User",
    profile: {
      ...(name === undefined ? {} : { name }),
      ...(picture === undefined ? {} : { picture }),
      issuedAt: claims.iat ?? 0,
    },
  };
}

const signedInAt = ({ auth_time: at, iat = 0 }: JWTPayload): number =>
  typeof at === "number" ? at : iat;

/** Whether a token says that its person has proved two factors (RFC 8176). */
const hasTwoFactors = ({ amr }: JWTPayload) => Array.isArray(amr) && amr.includes("mfa");

function addressOf({ email, email_verified: isVerified }: JWTPayload): string | undefined {
  // Some issuers write their booleans as text.
  if (isVerified !== true && isVerified !== "true") return undefined;
  return Email.safeParse(email).data;
}

function nameOf(claims: JWTPayload): string | undefined {
  const names = [foreignName(claims["name"]), foreignName(claims["preferred_username"])];
  // Some issuers write the address where a name is missing.
  const usableName = names.find((name) => name !== null && !Email.safeParse(name).success) ?? null;
  return usableName === null ? undefined : shortened(usableName, longestName);
}
