import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Moment, Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const Before = z.strictObject({
  before: Moment.meta({ description: "Only those that came before this moment." }).optional(),
});

/** Marks all notifications of the caller as read, or those before a moment. */
export const readAllNotifications = mutation("user.readAllNotifications", Before)
  .meta(
    rest("Users").post(
      "/users/me/notifications/read",
      "Mark all notifications as read",
      "Marks all notifications of the caller as read, or only those that came before a moment.",
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
    return success;
  });
