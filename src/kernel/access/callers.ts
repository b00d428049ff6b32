import type { Credential } from "./credential.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";

/** Who is calling, and with which key when it is one. */
export type Caller = {
  userId: bigint;
  publicId: string;
  name: string;
  email: string;
  sessionId: bigint | null;
  key: Key | null;
};

/** The bounds of an API key. */
export type Key = {
  id: bigint;
  publicId: string;
  name: string;
  allPermissions: boolean;
  permissions: string[];
  workspaceId: bigint | null;
  boardId: bigint | null;
  readOnly: boolean;
  lastUsedAt: Date | null;
};

/** Whether the key that a caller came with, if any, lets them use a permission that they hold. */
export const keyAllows = ({ key }: Pick<Caller, "key">, permission: Permission) =>
  key === null || key.allPermissions || key.permissions.includes(permission);

const user = `u.id AS "caller.userId", u."publicId" AS "caller.publicId", u.name AS "caller.name", u.email AS "caller.email"`;
const callersBy = (
  match: string,
  asked: string,
  more = "",
): Record<Credential["kind"], string> => ({
  session: `SELECT ${user}, s.id AS "caller.sessionId"${more && `, s."publicId"${more}`}
    FROM sessions s JOIN users u ON u.id = s."userId" AND u."deletedAt" IS NULL
    WHERE s."publicId" ${match} AND s."revokedAt" IS NULL AND s."expiresAt" > $2::timestamptz`,
  apiKey: `SELECT ${user}, k.id AS "key.id", k."publicId" AS "key.publicId", k.name AS "key.name",
      k."allPermissions" AS "key.allPermissions", k.permissions AS "key.permissions", k."workspaceId" AS "key.workspaceId",
      k."boardId" AS "key.boardId", k."readOnly" AS "key.readOnly", k."lastUsedAt" AS "key.lastUsedAt"${more && `, k."keyHash"${more}`}
    FROM api_keys k JOIN users u ON u.id = k."userId" AND u."deletedAt" IS NULL
    WHERE k."keyHash" ${match} AND k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > $2::timestamptz)`,
  // The token has been checked already; whoever asks again later looks at its `goodUntil` first.
  issuer: `SELECT ${user}${more && `, asked.id${more}`} FROM ${asked} AS asked(id)
    JOIN users u ON u.issuer = asked.id::jsonb ->> 0 AND u.subject = asked.id::jsonb ->> 1
    WHERE u."deletedAt" IS NULL AND $2::timestamptz IS NOT NULL`,
});

/** The statement that finds the holder of one credential ($1) at a moment ($2), by its kind. */
export const callers = callersBy("= $1", "(SELECT $1::text)");

/** The same for many credentials ($1, an array) at once: each row says whose it is in `of.id`. */
export const manyCallers = callersBy("= ANY ($1::text[])", "unnest($1::text[])", ` AS "of.id"`);

/** A caller out of the columns that those statements give. */
export function callerOf(
  caller: Record<string, unknown> | undefined,
  key: Record<string, unknown> | undefined,
): Caller {
  return { sessionId: null, ...caller, key: key ?? null } as Caller;
}
