import { z } from "zod";
import { iso, Moment, Success, success } from "../../contract/vocabulary/fields.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { writeUserEvent } from "../../kernel/events/user-log.ts";
import { rest } from "../../kernel/request/rest.ts";

const Range = z.strictObject({
  before: Moment.meta({ description: "Only notifications created before this time." }).optional(),
});

/** Marks all notifications of the caller as read, or those before a time. */
export const readAllNotifications = mutation("user.readAllNotifications", Range)
  .meta(
    rest("Users").post(
      "/users/me/notifications/read",
      "Mark all notifications as read",
      "Marks all notifications of the caller as read, or those created before a time.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx }, input: { before } }) => {
    await tx.prisma.notification.updateMany({
      where: {
        userId: caller.userId,
        readAt: null,
        inApp: true,
        ...(before === undefined ? {} : { createdAt: { lt: before } }),
      },
      data: { readAt: tx.now },
    });
    const data = { before: before === undefined ? null : iso(new Date(before)) };
    await writeUserEvent(tx, caller.userId, { type: "notification.all_read", data });
    return success;
  });
