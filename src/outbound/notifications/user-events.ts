import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: selects the events of users for the notifications that a table of a statement has. */
export const notificationEvents = (notified: Sql): Sql => sql`
  SELECT "userId", 'notification.created' AS type,
    jsonb_build_object('notificationPublicId', "publicId") AS data
  FROM ${notified} WHERE "inApp"`;
