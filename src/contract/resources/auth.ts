import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { User } from "./users.ts";

/** What a signed-in client holds; `expiresAt` is the access token's. */
export const Tokens = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal("Bearer"),
    expiresAt: Timestamp,
  })
  .meta({ id: "Tokens" });

/** Tokens, and whose they are. */
export const SignedIn = Tokens.extend({ user: User }).meta({ id: "SignedIn" });

/** A place where the caller is signed in. */
export const Session = z
  .object({
    publicId: z.string(),
    userAgent: z.string().nullable(),
    ip: z.string().nullable(),
    isCurrent: z.boolean(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: "Session" });

/** An API key without the key; `permissions` is null when it may do all that its owner may. */
export const ApiKey = z
  .object({
    publicId: z.string(),
    name: z.string(),
    prefix: z.string(),
    permissions: z.array(z.string()).nullable(),
    workspacePublicId: z.string().nullable(),
    boardPublicId: z.string().nullable(),
    readOnly: z.boolean(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
    expiresAt: Timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });

/** An API key with the key itself, which is shown this once. */
export const NewApiKey = ApiKey.extend({ key: z.string() }).meta({ id: "NewApiKey" });
