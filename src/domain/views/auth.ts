import type { Session as SessionRow, ApiKey as ApiKeyRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Session, ApiKey } from "../../contract/resources/auth.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";

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
