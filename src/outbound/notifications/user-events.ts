import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: writes the events of users for the notifications that `notified` has inserted. */
export const notificationEvents = (now: Date): Sql => sql`shown AS (
    INSERT INTO user_events ("userId", type, data, "createdAt")
    SELECT "userId", 'notification.created',
      jsonb_build_object('notificationPublicId', "publicId"), ${now}::timestamptz
    FROM notified WHERE "inApp" ORDER BY id RETURNING "userId")`;

/** SQL: selects the users of these events. */
export const notifiedUsers = sql`SELECT "userId" FROM shown`;
