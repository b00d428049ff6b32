import { z } from "zod";
import type { ApiKey as ApiKeyRow, Session as SessionRow } from "../../platform/db/rows.ts";
import { iso, isoOrNull, Timestamp } from "../../contract/fields.ts";
import { User } from "../users/view.ts";

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

/** Shows a session's row; `current` is the one that is calling. */
export const viewSession = (
  session: SessionRow,
  current: bigint | null,
): z.infer<typeof Session> => ({
  publicId: session.publicId,
  userAgent: session.userAgent,
  ip: session.ip,
  isCurrent: session.id === current,
  createdAt: iso(session.createdAt),
  lastUsedAt: iso(session.lastUsedAt),
  expiresAt: iso(session.expiresAt),
});

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

/** What `viewApiKey` needs beside the row. */
export const withBounds = {
  workspace: { select: { publicId: true } },
  board: { select: { publicId: true } },
} as const;

type Bound = { publicId: string } | null;

/** Shows an API key's row. */
export const viewApiKey = (
  key: ApiKeyRow & { workspace: Bound; board: Bound },
): z.infer<typeof ApiKey> => ({
  publicId: key.publicId,
  name: key.name,
  prefix: key.prefix,
  permissions: key.allPermissions ? null : key.permissions,
  workspacePublicId: key.workspace?.publicId ?? null,
  boardPublicId: key.board?.publicId ?? null,
  readOnly: key.readOnly,
  createdAt: iso(key.createdAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  expiresAt: isoOrNull(key.expiresAt),
});
