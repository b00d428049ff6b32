import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: a name as lists sort it: without case and accents, in any locale of the database. */
export const byName = (name: Sql): Sql => sql`search_fold(${name}) COLLATE "C"`;
