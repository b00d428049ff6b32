import { z } from "zod";
import { PublicId, Success, success } from "../../contract/vocabulary/fields.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { notFound } from "../../platform/errors.ts";

const Read = z.strictObject({ notificationPublicId: PublicId, read: z.boolean() });

const statement = `UPDATE notifications
  SET "readAt" = CASE WHEN $3::boolean THEN COALESCE("readAt", $4::timestamptz) END
  WHERE "publicId" = $1 AND "userId" = $2 AND "inApp" RETURNING id`;

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
    const values = [notificationPublicId, caller.userId, read, tx.now];
    if ((await tx.query(statement, values)).length === 0) throw notFound("notification");
    return success;
  });
