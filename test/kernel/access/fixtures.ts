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
