import { sql, type Sql } from "../../platform/db/sql.ts";

/**
 * SQL: how many cards of a list come before a position, without archived ones.
 *
 * No position is empty. Without this bound PostgreSQL expects a third of the cards, and may read
 * all of them by the index that has no positions.
 */
export const cardsBefore = (listId: Sql, position: Sql): Sql => sql`(SELECT count(*)::int
  FROM cards o WHERE o."listId" = ${listId} AND o."deletedAt" IS NULL AND o."archivedAt" IS NULL
    AND o.position > '' AND o.position < ${position})`;
