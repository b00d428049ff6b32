import { z } from "zod";
import { PublicId, Success, success } from "../../contract/vocabulary/fields.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { writeUserEvent } from "../../kernel/events/user-log.ts";
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
    const updated = await tx.query(sql`UPDATE notifications
      SET "readAt" = ${read ? sql`COALESCE("readAt", ${tx.now}::timestamptz)` : null}
      WHERE "publicId" = ${notificationPublicId} AND "userId" = ${caller.userId} AND "inApp"
      RETURNING id`);
    if (updated.length === 0) throw notFound("notification");
    const data = { notificationPublicId, isRead: read };
    await writeUserEvent(tx, caller.userId, { type: "notification.read", data });
    return success;
  });
