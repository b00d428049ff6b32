import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: whether one of some columns contains a text in any case, or the text is a public id. */
export const hasText = (find: string | undefined, columns: Sql[], publicId: Sql): Sql =>
  find === undefined
    ? sql`true`
    : sql`(${publicId} = ${find} OR ${sql.join(
        columns.map((column) => sql`strpos(lower(${column}), lower(${find})) > 0`),
        sql` OR `,
      )})`;
