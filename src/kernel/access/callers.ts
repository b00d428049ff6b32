import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isActiveAccount } from "./active-account.ts";
import { isKey, type Credential } from "./credential.ts";
import type { Query } from "../../platform/db/query.ts";
import { groupBy } from "../../platform/maps.ts";

/** The user behind a call, and the session or the key of the credential. */
export type Caller = {
  userId: bigint;
  publicId: string;
  name: string;
  email: string;
  timeZone: string | null;
  /** Whether a second factor was proved once, or is not asked for: of a program's account. */
  hasSecondFactor: boolean;
  sessionId: bigint | null;
  key: Key | null;
};

/** The limits of an API key, or of the grant of an app. */
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

const userWith = (hasSecondFactor: Sql) => sql`u.id AS "caller.userId",
  u."publicId" AS "caller.publicId", u.name AS "caller.name", u.email AS "caller.email",
  u."timeZone" AS "caller.timeZone", ${hasSecondFactor} AS "caller.hasSecondFactor"`;
const user = userWith(sql`(u."hasSecondFactor" OR u."isService")`);
/** SQL: whether an issuer says that the person `sought` has proved two factors. */
const provedTwo = sql`coalesce(sought.id::jsonb ->> 2 = 'mfa', false)`;
// What a service account does shows the name of the account, what an app does that of the person
// too, and else that of the key.
const key = sql`k.id AS "key.id", k."publicId" AS "key.publicId",
  CASE WHEN u."isService" THEN u.name WHEN k."appId" IS NOT NULL THEN u.name || ' via ' || k.name
    ELSE k.name END AS "key.name",
  k."allPermissions" AS "key.allPermissions", k.permissions AS "key.permissions",
  k."workspaceId" AS "key.workspaceId", k."boardId" AS "key.boardId",
  k."readOnly" AS "key.readOnly", k."lastUsedAt" AS "key.lastUsedAt"`;

/** SQL: whether no workspace in reach of the grant `k` forbids its app. */
const isAllowed = sql`NOT EXISTS (SELECT FROM forbidden_apps f
  JOIN members m ON m."workspaceId" = f."workspaceId" AND m."userId" = k."userId"
    AND m.status = 'active'
  WHERE f."appId" = k."appId" AND (k."workspaceId" IS NULL OR k."workspaceId" = f."workspaceId"))`;

/** SQL: whether the key `k` is the grant of an app, and valid. */
export const isActiveGrant = (now: Date): Sql =>
  sql`k."appId" IS NOT NULL AND k."revokedAt" IS NULL AND k."expiresAt" > ${now}::timestamptz
    AND ${isAllowed}`;

const statements: Record<Credential["kind"], (sought: CallerLookup, now: Date) => Sql> = {
  session: ({ matches, idColumn }, now) =>
    sql`SELECT ${user}, s.id AS "caller.sessionId"${idColumn(sql`s."publicId"`)}
    FROM sessions s JOIN users u ON u.id = s."userId" AND ${isActiveAccount}
    WHERE s."publicId" ${matches} AND s."revokedAt" IS NULL
      AND s."expiresAt" > ${now}::timestamptz`,
  apiKey: ({ matches, idColumn }, now) =>
    sql`SELECT ${user}, ${key}${idColumn(sql`k."keyHash"`)}
    FROM api_keys k JOIN users u ON u.id = k."userId" AND ${isActiveAccount}
    WHERE k."keyHash" ${matches} AND k."revokedAt" IS NULL
      AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now}::timestamptz)`,
  // The key's hash is that of no secret: the grant is found by what its verified token says.
  grant: ({ matches, idColumn }, now) =>
    sql`SELECT ${user}, ${key}${idColumn(sql`k."publicId"`)}
    FROM api_keys k JOIN users u ON u.id = k."userId" AND ${isActiveAccount}
    WHERE k."publicId" ${matches} AND ${isActiveGrant(now)}`,
  // The token was verified when it was read; a later check compares its `expiresAt`.
  issuer: ({ ids, idColumn }) =>
    sql`SELECT ${userWith(provedTwo)}${idColumn(sql`sought.id`)} FROM ${ids} AS sought(id)
    JOIN users u ON u.issuer = sought.id::jsonb ->> 0 AND u.subject = sought.id::jsonb ->> 1
    WHERE ${isActiveAccount} AND (NOT u."hasSecondFactor" OR ${provedTwo})`,
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
export const keyAllowsSql = (credential: Credential) => ({
  allows: (permission: Sql): Sql =>
    isKey(credential)
      ? sql`(caller."key.allPermissions" OR ${permission} = ANY(caller."key.permissions"))`
      : sql`true`,
  /** Whether the key is not bound to another workspace. */
  isFor: (workspaceId: Sql): Sql =>
    isKey(credential)
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
