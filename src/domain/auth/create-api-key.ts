import { randomBytes } from "node:crypto";
import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { Moment, name, PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { activeKeys, resolveScope } from "./key-scope.ts";
import { apiKeyPrefix, fingerprint } from "../../kernel/access/credentials.ts";
import { NewApiKey } from "../../contract/resources/auth.ts";
import { viewApiKey, withBounds } from "../views/auth.ts";

const maxKeys = 200;
const prefixLength = 12;

const Bounds = z.strictObject({
  name: name(1, 64),
  permissions: z.array(z.enum(permissions)).max(permissions.length).optional(),
  workspacePublicId: PublicId.optional(),
  boardPublicId: PublicId.optional(),
  readOnly: z.boolean().default(false),
  expiresAt: Moment.optional(),
});

/**
 * Creates an API key that acts for the caller, within the caller's permissions and its own scope.
 */
export const createApiKey = mutation("auth.createApiKey", Bounds)
  .meta(
    rest("Auth").post(
      "/auth/api-keys",
      "Create an API key",
      "The key acts for the caller. It never allows more than the caller may do at the time " +
        "of the call. The response is the only one that contains the key.",
    ),
  )
  .output(NewApiKey)
  .mutation(async ({ ctx, input }) => {
    const { caller, tx } = ctx;
    const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
    if (expiresAt !== null && expiresAt <= tx.now)
      throw badRequest("Must be in the future", ["expiresAt"]);
    const scope = await resolveScope(tx, ctx, input);
    // The lock serializes concurrent calls, so that the count is exact.
    await tx.query(`SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE`, [caller.userId]);
    // A session that is being revoked must not create a key.
    const session = await tx.query(
      `SELECT 1 FROM sessions WHERE id = $1 AND "revokedAt" IS NULL FOR SHARE`,
      [caller.sessionId ?? 0n],
    );
    if (caller.sessionId !== null && session.length === 0) throw credentialExpired();
    const count = await tx.prisma.apiKey.count({ where: activeKeys(caller.userId, tx.now) });
    if (count >= maxKeys) throw conflict(`An account can have at most ${maxKeys} API keys.`);
    const key = `${apiKeyPrefix}${randomBytes(32).toString("base64url")}`;
    const row = await tx.prisma.apiKey.create({
      data: {
        publicId: publicId(),
        userId: caller.userId,
        name: input.name,
        keyHash: fingerprint(key),
        prefix: key.slice(0, prefixLength),
        allPermissions: input.permissions === undefined,
        permissions: permissions.filter((one) => input.permissions?.includes(one)),
        ...scope,
        readOnly: input.readOnly,
        createdAt: tx.now,
        expiresAt,
      },
      include: withBounds,
    });
    return { ...viewApiKey(row), key };
  });
