import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Credential } from "./credential.ts";
import type { Query } from "../../platform/db/query.ts";
import { groupBy } from "../../platform/maps.ts";

/** The user behind a call, and the session or the API key of the credential. */
export type Caller = {
  userId: bigint;
  publicId: string;
  name: string;
  email: string;
  timeZone: string | null;
  sessionId: bigint | null;
  key: Key | null;
};

/** The limits of an API key. */
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

/** Whether a key is bound to permissions, a workspace or a board. */
export const isBound = ({ allPermissions, workspaceId, boardId }: Key): boolean =>
  !allPermissions || workspaceId !== null || boardId !== null;

/** Whether the caller's key, if any, allows a permission. */
export const keyAllows = ({ key }: Pick<Caller, "key">, permission: Permission) =>
  key === null || key.allPermissions || key.permissions.includes(permission);

/** The credentials to find: a condition, their ids as rows, and a column that names each. */
type CallerLookup = { matches: Sql; ids: Sql; idColumn: (id: Sql) => Sql };

const user = sql`u.id AS "caller.userId", u."publicId" AS "caller.publicId",
  u.name AS "caller.name", u.email AS "caller.email", u."timeZone" AS "caller.timeZone"`;
const key = sql`k.id AS "key.id", k."publicId" AS "key.publicId", k.name AS "key.name",
  k."allPermissions" AS "key.allPermissions", k.permissions AS "key.permissions",
  k."workspaceId" AS "key.workspaceId", k."boardId" AS "key.boardId",
  k."readOnly" AS "key.readOnly", k."lastUsedAt" AS "key.lastUsedAt"`;

const statements: Record<Credential["kind"], (sought: CallerLookup, now: Date) => Sql> = {
  session: ({ matches, idColumn }, now) =>
    sql`SELECT ${user}, s.id AS "caller.sessionId"${idColumn(sql`s."publicId"`)}
    FROM sessions s JOIN users u ON u.id = s."userId" AND u."deletedAt" IS NULL
    WHERE s."publicId" ${matches} AND s."revokedAt" IS NULL
      AND s."expiresAt" > ${now}::timestamptz`,
  apiKey: ({ matches, idColumn }, now) =>
    sql`SELECT ${user}, ${key}${idColumn(sql`k."keyHash"`)}
    FROM api_keys k JOIN users u ON u.id = k."userId" AND u."deletedAt" IS NULL
    WHERE k."keyHash" ${matches} AND k."revokedAt" IS NULL
      AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now}::timestamptz)`,
  // The token was verified when it was read; a later check compares its `expiresAt`.
  issuer: ({ ids, idColumn }) =>
    sql`SELECT ${user}${idColumn(sql`sought.id`)} FROM ${ids} AS sought(id)
    JOIN users u ON u.issuer = sought.id::jsonb ->> 0 AND u.subject = sought.id::jsonb ->> 1
    WHERE u."deletedAt" IS NULL`,
};

/** SQL: the caller with a credential at a moment. */
export const callerWith = ({ kind, id }: Credential, now: Date): Sql =>
  statements[kind](
    { matches: sql`= ${id}`, ids: sql`(SELECT ${id}::text)`, idColumn: () => sql.empty },
    now,
  );

/** SQL: the callers with many credentials at a moment; each row names its own in `of.id`. */
export const callersWith = (kind: Credential["kind"], ids: readonly string[], now: Date): Sql =>
  statements[kind](
    {
      matches: sql`= ANY (${ids}::text[])`,
      ids: sql`unnest(${ids}::text[])`,
      idColumn: (id) => sql`, ${id} AS "of.id"`,
    },
    now,
  );

/** `keyAllows` in SQL, for the key of `caller`; a credential without a key allows all. */
export const keyAllowsSql = ({ kind }: Credential) => ({
  allows: (permission: Sql): Sql =>
    kind === "apiKey"
      ? sql`(caller."key.allPermissions" OR ${permission} = ANY(caller."key.permissions"))`
      : sql`true`,
  /** Whether the key is not bound to another workspace. */
  isFor: (workspaceId: Sql): Sql =>
    kind === "apiKey"
      ? sql`(caller."key.workspaceId" IS NULL OR caller."key.workspaceId" = ${workspaceId})`
      : sql`true`,
});

/** Makes a caller from the columns of those statements. */
export function callerOf(
  caller: Record<string, unknown> | undefined,
  ofKey: Record<string, unknown> | undefined,
): Caller {
  return { sessionId: null, ...caller, key: ofKey ?? null } as Caller;
}

/** The ids of many credentials by their kinds. */
export const idsByKind = (credentials: Iterable<Credential>): [Credential["kind"], string[]][] =>
  [...groupBy(credentials, ({ kind }) => kind)].map(([kind, some]) => [
    kind,
    [...new Set(some.map(({ id }) => id))],
  ]);

/** Which of many credentials are valid, in one statement per kind. */
export async function validCredentials(
  query: Query,
  credentials: readonly Credential[],
  now: Date,
): Promise<(credential: Credential) => boolean> {
  const valid = new Set<string>();
  for (const [kind, ids] of idsByKind(credentials)) {
    const rows = await query<{ "of.id": string }>(callersWith(kind, ids, now));
    for (const row of rows) valid.add(`${kind} ${row["of.id"]}`);
  }
  return ({ kind, id, expiresAt = Infinity }) =>
    valid.has(`${kind} ${id}`) && now.getTime() < expiresAt;
}
