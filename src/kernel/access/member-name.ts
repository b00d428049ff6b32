import { sql } from "../../platform/db/sql.ts";

/** SQL: the name of a member `m`, from the account `u`, or from the address before the `@`. */
export const memberName = sql`coalesce(u.name, split_part(m.email, '@', 1))`;
