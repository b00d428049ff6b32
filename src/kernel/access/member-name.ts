import { sql } from "../../platform/db/sql.ts";

/** The name of a member without an account: a part of the address would show it. */
export const invitedName = "Invited member";

/** SQL: the name of a member `m`, from the account `u`. */
export const memberName = sql`coalesce(u.name, ${invitedName}::text)`;
