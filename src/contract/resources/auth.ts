import { z } from "zod";
import { idOf } from "../vocabulary/ids.ts";
import { ClientAddress, CreatedAt, ExpiresAt } from "../fields/shared.ts";
import { Timestamp } from "../vocabulary/texts.ts";
import { AppInfo } from "./oauth.ts";
import { User } from "./users.ts";

/** The tokens of a session. `expiresAt` belongs to the access token. */
export const Tokens = z
  .object({
    accessToken: z.string().meta({
      description: "The token to send as `Authorization: Bearer …`. It is valid for 15 minutes.",
      examples: ["the-access-token"],
    }),
    refreshToken: z.string().meta({
      description: "Gets new tokens from `auth.refresh`. It works once, within 30 days.",
      examples: ["the-refresh-token"],
    }),
    tokenType: z
      .literal("Bearer")
      .meta({ description: "The scheme of the `Authorization` header." }),
    expiresAt: ExpiresAt,
  })
  .meta({
    id: "Tokens",
    description: "The tokens of a session. `expiresAt` belongs to the access token.",
  });

/** The tokens and the user of a new session. */
export const SignedIn = Tokens.extend({ user: User }).meta({
  id: "SignedIn",
  description: "The tokens and the account of a new session.",
});

/** A session of the caller. */
export const Session = z
  .object({
    publicId: idOf("session"),
    userAgent: z
      .string()
      .nullable()
      .meta({
        description: "The `User-Agent` of the sign-in. Null if it had none.",
        examples: ["Mozilla/5.0 (X11; Linux x86_64)"],
      }),
    ip: ClientAddress,
    isCurrent: z
      .boolean()
      .meta({ description: "Whether this is the session that made this call.", examples: [true] }),
    createdAt: CreatedAt,
    lastUsedAt: Timestamp.meta({
      description: "When it was last used, in UTC. Null if it was never used.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
    expiresAt: Timestamp.meta({
      description: "When it expires, in UTC. Null if it never expires.",
      examples: ["2026-03-02T08:15:00.000Z"],
    }),
  })
  .meta({ id: "Session", description: "A session of the caller." });

/** An API key without the key. `permissions` is null when it has all permissions of its owner. */
export const ApiKey = z
  .object({
    publicId: idOf("apiKey"),
    name: z
      .string()
      .meta({ description: "The name of the key.", examples: ["Continuous integration"] }),
    prefix: z.string().meta({
      description: "The first characters of the key, to recognize it. Empty for a connected app.",
      examples: ["wbs_4fJ8sQ2x"],
    }),
    permissions: z
      .array(z.string())
      .nullable()
      .meta({
        description: "The permissions of the key. Null if it has those of its owner.",
        examples: [["board:view", "list:view", "card:view", "card:edit"]],
      }),
    workspacePublicId: idOf(
      "workspace",
      "The only workspace that the key can access. Null for all.",
    ).nullable(),
    boardPublicId: idOf(
      "board",
      "The only board that the key can access. Null for all.",
    ).nullable(),
    readOnly: z.boolean().meta({ description: "Whether the key may only read." }),
    app: AppInfo.nullable().meta({
      description: "The app that was connected. Null for a key that was made by hand.",
      examples: [null],
    }),
    createdAt: CreatedAt,
    lastUsedAt: Timestamp.nullable().meta({
      description: "When it was last used, in UTC. Null if it was never used.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
    expiresAt: Timestamp.nullable().meta({
      description: "When it expires, in UTC. Null if it never expires.",
      examples: ["2099-12-31T23:00:00.000Z"],
    }),
  })
  .meta({ id: "ApiKey", description: "An API key without the key itself, or a connected app." });

/** A new API key with the key, which is returned only once. */
export const NewApiKey = ApiKey.extend({
  key: z.string().meta({
    description: "The key. It is returned only once.",
    examples: ["wbs_4fJ8sQ2x-the-rest-of-the-key"],
  }),
}).meta({
  id: "NewApiKey",
  description: "A new API key with the key itself, which is returned only once.",
});
