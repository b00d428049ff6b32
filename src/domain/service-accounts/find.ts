import type { Member } from "../../platform/db/rows.ts";
import type { Query } from "../../platform/db/query.ts";
import { notFound } from "../../platform/errors.ts";
import { sql } from "../../platform/db/sql.ts";

/** The account of a member that is a service account, and has not been removed; else 404. */
export async function findServiceAccount(query: Query, member: Member) {
  if (member.status === "removed") throw notFound("member");
  return accountOf(query, member);
}

/** The account of a member that is or was a service account; else 404. */
export async function accountOf(query: Query, { userId }: Member) {
  const [account] = await query<{ id: bigint; name: string }>(
    sql`SELECT id, name FROM users WHERE id = ${userId} AND "isService"`,
  );
  if (account === undefined) throw notFound("member");
  return account;
}
