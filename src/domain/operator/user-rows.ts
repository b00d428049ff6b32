import type { z } from "zod";
import type { OperatorUser } from "../../contract/resources/operator.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import { notFound } from "../../platform/errors.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The row of an account for operators. */
export type UserRow = {
  id: bigint;
  publicId: string;
  email: string;
  name: string;
  emailVerifiedAt: Date | null;
  disabledAt: Date | null;
  isOperator: boolean;
  createdAt: Date;
  workspaceCount: number;
  lastSeenAt: Date | null;
};

/** SQL: accounts `u` that are not deleted. What is counted of each is read for the page alone. */
export const selectUsers = (where: Sql): Sql => sql`
  SELECT u.id, u."publicId", u.email, u.name, u."emailVerifiedAt", u."disabledAt", u."isOperator",
    u."createdAt",
    (SELECT count(*)::int FROM members m JOIN workspaces w ON w.id = m."workspaceId"
      WHERE m."userId" = u.id AND m.status = 'active' AND w."deletedAt" IS NULL)
      AS "workspaceCount",
    greatest((SELECT max(s."lastUsedAt") FROM sessions s WHERE s."userId" = u.id),
      (SELECT max(k."lastUsedAt") FROM api_keys k WHERE k."userId" = u.id)) AS "lastSeenAt"
  FROM users u WHERE u."deletedAt" IS NULL AND ${where}`;

/** Reads an account; 404 when it does not exist or is deleted. */
export async function readUser(query: Query, publicId: string): Promise<UserRow> {
  const [row] = await query<UserRow>(selectUsers(sql`u."publicId" = ${publicId}`));
  if (row === undefined) throw notFound("user");
  return row;
}

/** Shows an account to an operator. */
export const showUser = (row: UserRow): z.infer<typeof OperatorUser> => ({
  publicId: row.publicId,
  email: row.email,
  name: row.name,
  isEmailVerified: row.emailVerifiedAt !== null,
  isDisabled: row.disabledAt !== null,
  isOperator: row.isOperator,
  workspaceCount: row.workspaceCount,
  lastSeenAt: isoOrNull(row.lastSeenAt),
  createdAt: iso(row.createdAt),
});
