import { randomBytes } from "node:crypto";
import { z } from "zod";
import { PermissionName } from "../../contract/resources/roles.ts";
import { givenId } from "../../contract/vocabulary/ids.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { requireVerifiedEmail } from "../../kernel/access/verified-email.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest, conflict, forbidden } from "../../platform/errors.ts";
import { Moment, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockIfPasswordUnchanged, Password, verifyPassword } from "./password.ts";
import { activeKeys, resolveScope } from "./key-scope.ts";
import { apiKeyPrefix, fingerprint } from "../../kernel/access/credentials.ts";
import { NewApiKey } from "../../contract/resources/auth.ts";
import { showApiKey, withBounds } from "../shown/auth.ts";

const maxKeys = 200;
const prefixLength = 12;
const hourMs = 60 * 60 * 1000;
/** How many keys of an hour have a mail of their own. */
const maxMails = 10;

const Bounds = z.strictObject({
  name: name(64).meta({
    description: "The name of the key.",
    examples: ["Continuous integration"],
  }),
  permissions: z
    .array(PermissionName)
    .max(permissions.length)
    .meta({
      description: "The permissions of the key. By default all of the owner's.",
      examples: [["board:view", "list:view", "card:view", "card:edit"]],
    })
    .optional(),
  workspacePublicId: givenId("workspace", "Limits the key to a workspace.").optional(),
  boardPublicId: givenId("board", "Limits the key to a board.").optional(),
  readOnly: z.boolean().default(false).meta({ description: "Whether the key may only read." }),
  expiresAt: Moment.meta({
    description: "When the key expires. It does not expire by default.",
    examples: ["2099-12-31T23:00:00.000Z"],
  }).optional(),
  password: Password.optional().meta({
    examples: ["correct horse battery staple"],
    description: "Required for a key without permissions, workspace or board.",
  }),
});

/**
 * Creates an API key that acts for the caller, within the caller's permissions and its own scope.
 */
export const createApiKey = externalMutation("auth.createApiKey", Bounds)
  .meta(
    rest("Auth").post(
      "/auth/api-keys",
      "Create an API key",
      "Creates an API key that acts for the caller, and returns it this one time. The key never " +
        "allows more than the caller may do at the time of the call. A key without " +
        "`permissions`, `workspacePublicId` and `boardPublicId` requires the account's password. " +
        "The owner is notified by mail. An account can have 200 keys. Where the server verifies " +
        "email addresses, it returns 403 until the caller's is verified.",
    ),
  )
  .output(NewApiKey)
  .mutation(async ({ ctx, input }) => {
    const { caller, db, deps } = ctx;
    await requireVerifiedEmail(deps.config, db, caller.userId);
    const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: caller.userId } });
    if (passwordHash !== null && isUnrestricted(input)) {
      const { password } = input;
      if (password === undefined) {
        throw badRequest("required", "The password is required for a key without a scope.", [
          "password",
        ]);
      }
      const verify = () => verifyPassword(password, passwordHash, ctx);
      if (!(await deps.limits.password(caller.userId, verify))) throw wrong();
    }
    return ctx.transact(async (tx) => {
      const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
      if (expiresAt !== null && expiresAt <= tx.now)
        throw badRequest("not_in_future", "Must be in the future", ["expiresAt"]);
      const scope = await resolveScope(tx, ctx, input);
      // The lock serializes concurrent calls, so that the count is exact.
      if (!(await lockIfPasswordUnchanged(tx.query, caller.userId, passwordHash))) throw wrong();
      await checkSession(tx, caller);
      const count = await tx.prisma.apiKey.count({ where: activeKeys(caller.userId, tx.now) });
      if (count >= maxKeys)
        throw conflict(
          "limit_exceeded",
          `An account has at most ${maxKeys} API keys. Revoke one first.`,
        );
      const key = `${apiKeyPrefix}${randomBytes(32).toString("base64url")}`;
      const row = await tx.prisma.apiKey.create({
        data: {
          publicId: publicId(),
          userId: caller.userId,
          name: input.name,
          keyHash: fingerprint(key),
          prefix: key.slice(0, prefixLength),
          allPermissions: input.permissions === undefined,
          permissions: permissions.filter((permission) => input.permissions?.includes(permission)),
          ...scope,
          readOnly: input.readOnly,
          createdAt: tx.now,
          expiresAt,
        },
        include: withBounds,
      });
      await mailOwner(tx, deps, caller, row.prefix);
      return { ...showApiKey(row), key };
    });
  });

const wrong = () => forbidden("wrong_password", "The password is wrong.");

const isUnrestricted = (input: z.infer<typeof Bounds>) =>
  input.permissions === undefined &&
  input.workspacePublicId === undefined &&
  input.boardPublicId === undefined;

/** Refuses a session that is being revoked: it must not create a key. */
async function checkSession({ query }: UnitOfWork, { sessionId }: Caller) {
  if (sessionId === null) return;
  const rows = await query(
    sql`SELECT 1 FROM sessions WHERE id = ${sessionId} AND "revokedAt" IS NULL FOR SHARE`,
  );
  if (rows.length === 0) throw credentialExpired();
}

/** Mails the owner about each of the first keys of an hour, and once about more. */
async function mailOwner(
  tx: UnitOfWork,
  deps: Deps,
  { userId, email }: Caller,
  prefix: string,
): Promise<void> {
  const since = new Date(tx.now.getTime() - hourMs);
  const recent = await tx.prisma.apiKey.count({ where: { userId, createdAt: { gt: since } } });
  if (recent > maxMails + 1) return;
  const what =
    recent <= maxMails
      ? `An API key that starts with ${prefix} was created for your account.`
      : `More than ${maxMails} API keys were created for your account within one hour. ` +
        "Further ones of this hour are not mailed.";
  const text = `${what}\n\nIf it was not you, reset your password: this revokes all API keys.`;
  await queueMail(tx, deps, { to: email, subject: "A new API key", text });
}
