import { randomBytes } from "node:crypto";
import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { Moment, name, PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { live, placeOf } from "./key-scope.ts";
import { apiKeyPrefix, fingerprint } from "../../kernel/access/credentials.ts";
import { NewApiKey } from "../../contract/resources/auth.ts";
import { viewApiKey, withBounds } from "../views/auth.ts";
import { sql } from "../../platform/db/sql.ts";

const most = 200;
const shown = 12;

const Bounds = z.strictObject({
  name: name(1, 64),
  permissions: z.array(z.enum(permissions)).max(permissions.length).optional(),
  workspacePublicId: PublicId.optional(),
  boardPublicId: PublicId.optional(),
  readOnly: z.boolean().default(false),
  expiresAt: Moment.optional(),
});

/** Makes a key that acts for the caller, within its own bounds and within what the caller may do at each call. */
export const createApiKey = mutation("auth.createApiKey", Bounds)
  .meta(
    rest("Auth").post(
      "/auth/api-keys",
      "Create an API key",
      "Makes a key that acts for the caller, within its own bounds and never beyond what the caller may do at the moment of the call. The key is shown this once.",
    ),
  )
  .output(NewApiKey)
  .mutation(async ({ ctx, input }) => {
    const { caller, tx } = ctx;
    const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
    if (expiresAt !== null && expiresAt <= tx.now)
      throw badRequest("Must be in the future", ["expiresAt"]);
    const place = await placeOf(tx, ctx, input);
    // Locked, so that keys made at the same moment are counted one after the other.
    await tx.query(sql`SELECT 1 FROM users WHERE id = ${caller.userId} FOR NO KEY UPDATE`);
    // A session that is being ended with all that came of it must not leave a key behind.
    const session = await tx.query(
      sql`SELECT 1 FROM sessions WHERE id = ${caller.sessionId ?? 0n} AND "revokedAt" IS NULL
        FOR SHARE`,
    );
    if (caller.sessionId !== null && session.length === 0) throw credentialExpired();
    const held = await tx.prisma.apiKey.count({ where: live(caller.userId, tx.now) });
    if (held >= most) throw conflict(`An account has at most ${most} API keys.`);
    const key = `${apiKeyPrefix}${randomBytes(32).toString("base64url")}`;
    const made = await tx.prisma.apiKey.create({
      data: {
        publicId: publicId(),
        userId: caller.userId,
        name: input.name,
        keyHash: fingerprint(key),
        prefix: key.slice(0, shown),
        allPermissions: input.permissions === undefined,
        permissions: permissions.filter((right) => input.permissions?.includes(right)),
        ...place,
        readOnly: input.readOnly,
        createdAt: tx.now,
        expiresAt,
      },
      include: withBounds,
    });
    return { ...viewApiKey(made), key };
  });
