import { z } from "zod";
import { PublicId, Success, success } from "../../contract/vocabulary/fields.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";

const Read = z.strictObject({ notificationPublicId: PublicId, read: z.boolean() });

/** Marks a notification of the caller as read or unread. */
export const readNotification = mutation("user.readNotification", Read)
  .meta(
    rest("Users").put(
      "/users/me/notifications/{notificationPublicId}",
      "Mark a notification as read",
      "Marks a notification of the caller as read, or as unread with `read: false`. " +
        "Read notifications are not mailed.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx }, input: { notificationPublicId, read } }) => {
    const [known] = await tx.query<{ wasRead: boolean }>(sql`UPDATE notifications n
      SET "readAt" = ${read ? sql`COALESCE(n."readAt", ${tx.now}::timestamptz)` : null}
      FROM (SELECT id, "readAt" FROM notifications
        WHERE "publicId" = ${notificationPublicId} AND "userId" = ${caller.userId} AND "inApp"
        FOR UPDATE) earlier
      WHERE n.id = earlier.id RETURNING earlier."readAt" IS NOT NULL AS "wasRead"`);
    if (known === undefined) throw notFound("notification");
    const data = { notificationPublicId, isRead: read };
    if (known.wasRead !== read) tx.emitTo(caller.userId, { type: "notification.read", data });
    return success;
  });
