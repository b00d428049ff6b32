import type { Session as SessionRow, ApiKey as ApiKeyRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import { showApp, type ShownApp } from "./apps.ts";
import type { Session, ApiKey } from "../../contract/resources/auth.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";

/** Shows a session; `current` is the id of the caller's session. */
export const showSession = (
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

/** The relations that `showApiKey` needs. */
export const withBounds = {
  workspace: { select: { publicId: true } },
  board: { select: { publicId: true } },
  app: { select: { publicId: true, clientId: true, name: true } },
} as const;

type Bound = { publicId: string } | null;

/** Shows an API key. */
export const showApiKey = (
  key: ApiKeyRow & { workspace: Bound; board: Bound; app: ShownApp | null },
): z.infer<typeof ApiKey> => ({
  publicId: key.publicId,
  name: key.name,
  prefix: key.prefix,
  permissions: key.allPermissions ? null : key.permissions,
  workspacePublicId: key.workspace?.publicId ?? null,
  boardPublicId: key.board?.publicId ?? null,
  readOnly: key.readOnly,
  app: key.app === null ? null : showApp(key.app),
  createdAt: iso(key.createdAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  expiresAt: isoOrNull(key.expiresAt),
});
