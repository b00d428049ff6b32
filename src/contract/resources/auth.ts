import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { User } from "./users.ts";

/** The tokens of a session. `expiresAt` belongs to the access token. */
export const Tokens = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal("Bearer"),
    expiresAt: Timestamp,
  })
  .meta({ id: "Tokens" });

/** The tokens and the user of a new session. */
export const SignedIn = Tokens.extend({ user: User }).meta({ id: "SignedIn" });

/** A session of the caller. */
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

/** An API key without the key. `permissions` is null when it has all permissions of its owner. */
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

/** A new API key with the key, which is returned only once. */
export const NewApiKey = ApiKey.extend({ key: z.string() }).meta({ id: "NewApiKey" });
