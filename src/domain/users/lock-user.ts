import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import type { User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

/** Locks an account, and those of all operators, in the order of ids; 404 when it is deleted. */
export async function lockUser(tx: Pick<UnitOfWork, "query">, publicId: string) {
  const rows = await tx.query<User>(sql`SELECT u.* FROM users u
    WHERE u."deletedAt" IS NULL AND (u."publicId" = ${publicId} OR u."isOperator")
    ORDER BY u.id FOR NO KEY UPDATE`);
  const user = rows.find((row) => row.publicId === publicId);
  if (user === undefined) throw notFound("user");
  const isLastOperator =
    user.isOperator && rows.every(({ id, disabledAt }) => id === user.id || disabledAt !== null);
  return { user, isLastOperator };
}

/** 409 when the last operator would go, and there is no `ADMIN_KEY` to make another. */
export function requireOtherOperator(
  isLastOperator: boolean,
  { ADMIN_KEY }: { ADMIN_KEY?: string | undefined },
): void {
  if (!isLastOperator || ADMIN_KEY !== undefined) return;
  throw conflict(
    "last_operator",
    "This is the last operator. Make another account an operator, or set `ADMIN_KEY`, first.",
  );
}
