import type { App } from "../../support/app.ts";
import { sql } from "../../../src/platform/db/sql.ts";

/** The tables whose rows name who made them. */
export async function tablesWithCreator({ db }: App): Promise<ReadonlySet<string>> {
  const rows = await db.read<{ table: string }>(
    sql`SELECT table_name AS "table" FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'createdById'`,
  );
  return new Set(rows.map(({ table }) => table));
}

/** Makes a user the creator of a row; the API never changes a creator. */
export const setCreator = ({ db }: App, table: string, publicId: string, userId: bigint) =>
  db.write(sql`
    UPDATE ${sql.identifier(table)} SET "createdById" = ${userId} WHERE "publicId" = ${publicId}`);

/** Makes a former member active with the same id; an invitation would not restore the role. */
export const readmit = ({ db }: App, workspaceId: bigint, userId: bigint) =>
  db.write(sql`
    UPDATE members SET status = 'active', "removedAt" = NULL
    WHERE "workspaceId" = ${workspaceId} AND "userId" = ${userId} AND version > 1`);

/** Links an account to an issuer without revoking its credentials, as a first sign-in would. */
export const linkToIssuer = ({ db }: App, userId: bigint, issuer: string, subject: string) =>
  db.write(sql`
    UPDATE users SET issuer = ${issuer}, subject = ${subject} WHERE id = ${userId}`);

/** Ends the validity of an API key; the API creates no expired keys. */
export const expireKey = ({ db }: App, publicId: string) =>
  db.write(sql`UPDATE api_keys SET "expiresAt" = '2020-01-01' WHERE "publicId" = ${publicId}`);

/** Gives an API key other permissions; the API never changes those of a key. */
export const setKeyPermissions = ({ db }: App, publicId: string, permissions: readonly string[]) =>
  db.write(sql`
    UPDATE api_keys SET permissions = ${permissions}::text[] WHERE "publicId" = ${publicId}`);

/** Gives a member overrides of some permissions, and no others. */
export async function setOnlyOverrides(
  { db }: App,
  memberId: bigint,
  permissions: readonly string[],
  granted: boolean,
): Promise<void> {
  await db.write(sql`DELETE FROM member_overrides WHERE "memberId" = ${memberId}`);
  await db.write(sql`
    INSERT INTO member_overrides ("memberId", "workspaceId", permission, granted)
    SELECT id, "workspaceId", one, ${granted}::boolean
    FROM members, unnest(${[...new Set(permissions)]}::text[]) one WHERE id = ${memberId}`);
}

/** Inserts a role; the API gives roles only what its caller holds. */
export async function insertRole(
  { db }: App,
  workspaceId: bigint,
  role: { publicId: string; name: string; hierarchyLevel: number; permissions: string[] },
): Promise<void> {
  await db.write(sql`
    INSERT INTO roles ("publicId", "workspaceId", name, "hierarchyLevel", permissions)
    VALUES (${role.publicId}, ${workspaceId}, ${role.name}, ${role.hierarchyLevel},
      ${role.permissions}::text[])`);
}

/** Inserts a user without a password; only issuers create such users. */
export async function insertUser(
  { db }: App,
  user: { publicId: string; email: string; name: string },
): Promise<bigint> {
  const [row] = await db.write<{ id: bigint }>(sql`
    INSERT INTO users ("publicId", email, name)
    VALUES (${user.publicId}, ${user.email}, ${user.name}) RETURNING id`);
  if (row === undefined) throw new Error("No user was inserted.");
  return row.id;
}

/** Inserts a session, which costs no password hash. */
export const insertSession = (
  { db }: App,
  session: { publicId: string; userId: bigint; expiresAt: Date },
) =>
  db.write(sql`
    INSERT INTO sessions ("publicId", "userId", "expiresAt")
    VALUES (${session.publicId}, ${session.userId}, ${session.expiresAt}::timestamptz)`);

/** Inserts an API key without a secret, which costs no password hash. */
export const insertApiKey = ({ db }: App, publicId: string, userId: bigint) =>
  db.write(sql`
    INSERT INTO api_keys ("publicId", "userId", name, "keyHash", prefix, permissions)
    VALUES (${publicId}, ${userId}, 'key', ${publicId}, 'wbs_', '{}')`);

/** Links an account to a provider of sign-in, without the person's consent there. */
export const insertIdentity = ({ db }: App, publicId: string, userId: bigint) =>
  db.write(sql`
    INSERT INTO identities ("publicId", "userId", provider, issuer, subject)
    VALUES (${publicId}, ${userId}, 'google', 'https://issuer.example', ${publicId})`);

/** Inserts a member with any status; the API makes members of people who accept. */
export async function insertMemberOf(
  { db }: App,
  member: {
    publicId: string;
    workspaceId: bigint;
    userId: bigint | null;
    email: string;
    role: string;
    status: "active" | "removed" | "invited";
  },
): Promise<bigint> {
  const [row] = await db.write<{ id: bigint }>(sql`
    INSERT INTO members ("publicId", "workspaceId", "userId", email, "roleId", status)
    SELECT ${member.publicId}::text, r."workspaceId", ${member.userId}::bigint,
      ${member.email}::text, r.id, ${member.status}::"MemberStatus"
    FROM roles r WHERE r."workspaceId" = ${member.workspaceId} AND r.name = ${member.role}
    RETURNING id`);
  if (row === undefined) throw new Error(`The workspace has no role ${member.role}.`);
  return row.id;
}

/** Inserts a notification of a user; a notification of the API needs an event of another user. */
export const insertNotification = (
  { db }: App,
  one: { publicId: string; userId: bigint; workspaceId: bigint; type: string; data: object },
) =>
  db.write(sql`
    INSERT INTO notifications ("publicId", "userId", "workspaceId", type, data)
    VALUES (${one.publicId}, ${one.userId}, ${one.workspaceId}, ${one.type},
      ${JSON.stringify(one.data)}::jsonb)`);

/** Inserts an import of a user that has not begun. */
export const insertImport = ({ db }: App, publicId: string, workspaceId: bigint, userId: bigint) =>
  db.write(sql`
    INSERT INTO imports ("publicId", "workspaceId", "createdById", source, family, input)
    VALUES (${publicId}, ${workspaceId}, ${userId}, 'github', 'github', '')`);

/** Inserts a password reset whose token the test knows; the API sends it by mail only. */
export const insertPasswordReset = (
  { db }: App,
  userId: bigint,
  tokenHash: string,
  expiresAt: Date,
) =>
  db.write(sql`
    INSERT INTO password_resets ("userId", "tokenHash", "expiresAt")
    VALUES (${userId}, ${tokenHash}, ${expiresAt}::timestamptz)`);
