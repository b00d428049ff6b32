import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import {
  eitherName,
  oldFlag,
  sameValue,
  Success,
  success,
} from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";

const Read = z
  .strictObject({
    notificationPublicId: inputId("notification"),
    isRead: z.boolean().meta({ description: "True marks it as read, false as unread." }).optional(),
    read: oldFlag("isRead"),
  })
  .refine(...eitherName("isRead", "read"))
  .refine(...sameValue("isRead", "read"));

/** Marks a notification of the caller as read or unread. */
export const readNotification = mutation("user.readNotification", Read)
  .meta(
    rest("Users").put(
      "/users/me/notifications/{notificationPublicId}",
      "Mark a notification as read",
      "Marks one of the caller's notifications as read, or as unread with `isRead: false`. Read " +
        "notifications are not mailed.",
      { errors: ["NOT_FOUND"], bodyFields: { min: 1 } },
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx }, input }) => {
    const { notificationPublicId } = input;
    const isRead = (input.isRead ?? input.read) === true;
    const [notification] = await tx.query<{ wasRead: boolean }>(sql`UPDATE notifications n
      SET "readAt" = ${isRead ? sql`COALESCE(n."readAt", ${tx.now}::timestamptz)` : null}
      FROM (SELECT id, "readAt" FROM notifications
        WHERE "publicId" = ${notificationPublicId} AND "userId" = ${caller.userId} AND "inApp"
        FOR UPDATE) earlier
      WHERE n.id = earlier.id RETURNING earlier."readAt" IS NOT NULL AS "wasRead"`);
    if (notification === undefined) throw notFound("notification");
    const data = { notificationPublicId, isRead };
    if (notification.wasRead !== isRead)
      tx.emitTo(caller.userId, { type: "notification.read", data });
    return success;
  });
