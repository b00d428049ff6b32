import { randomBytes } from "node:crypto";
import { z } from "zod";
import { PermissionName } from "../../contract/resources/roles.ts";
import type { NewApiKey } from "../../contract/resources/auth.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { Moment, name } from "../../contract/vocabulary/texts.ts";
import { apiKeyPrefix, fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { showApiKey, withBounds } from "../presenters/auth.ts";
import { activeKeys } from "./key-scope.ts";

const maxKeys = 200;
const prefixLength = 12;

/** What every new key is given. */
export const keyFields = {
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
  readOnly: z.boolean().default(false).meta({ description: "Whether the key may only read." }),
  expiresAt: Moment.meta({
    description: "When the key expires. It does not expire by default.",
    examples: ["2099-12-31T23:00:00.000Z"],
  }).optional(),
};

/**
 * 409 if an account has 200 keys. The count is exact while the account, or the member that it is,
 * is locked.
 */
export async function checkKeyCount(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  userId: bigint,
): Promise<void> {
  const count = await prisma.apiKey.count({ where: activeKeys(userId, now) });
  if (count < maxKeys) return;
  throw conflict(
    "limit_exceeded",
    `An account has at most ${maxKeys} API keys and connected apps. Revoke one first.`,
  );
}

type KeyInput = z.output<z.ZodObject<typeof keyFields>>;
type Scope = { workspaceId: bigint | null; boardId?: bigint };

/** The end of a new key; 400 unless it is in the future. */
export function endOfKey(
  { now }: Pick<UnitOfWork, "now">,
  { expiresAt }: Pick<KeyInput, "expiresAt">,
): Date | null {
  if (expiresAt === undefined) return null;
  const end = new Date(expiresAt);
  if (end <= now) throw badRequest("not_in_future", "Must be in the future", ["expiresAt"]);
  return end;
}

/** Creates a key of an account, and shows it this one time; 409 beyond 200 keys. */
export async function insertKey(
  tx: UnitOfWork,
  userId: bigint,
  input: KeyInput,
  scope: Scope,
): Promise<z.infer<typeof NewApiKey>> {
  await checkKeyCount(tx, userId);
  const key = `${apiKeyPrefix}${randomBytes(32).toString("base64url")}`;
  const row = await tx.prisma.apiKey.create({
    data: {
      publicId: publicId(),
      userId,
      name: input.name,
      keyHash: fingerprint(key),
      prefix: key.slice(0, prefixLength),
      allPermissions: input.permissions === undefined,
      permissions: permissions.filter((permission) => input.permissions?.includes(permission)),
      ...scope,
      readOnly: input.readOnly,
      createdAt: tx.now,
      expiresAt: endOfKey(tx, input),
    },
    include: withBounds,
  });
  return { ...showApiKey(row), key };
}
