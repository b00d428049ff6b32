import { z } from "zod";
import { iso, Moment, Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { inOrder } from "../../platform/db/in-order.ts";
import { sql } from "../../platform/db/sql.ts";

const Range = z.strictObject({
  before: Moment.meta({
    examples: ["2026-02-02T08:15:00.000Z"],
    description: "Only notifications created before this time.",
  }).optional(),
});

/** Marks all notifications of the caller as read, or those before a time. */
export const readAllNotifications = mutation("user.readAllNotifications", Range)
  .meta(
    rest("Users").post(
      "/users/me/notifications/read",
      "Mark all notifications as read",
      "Marks all notifications of the caller as read, or only those created before a given time.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx }, input: { before } }) => {
    const until = before === undefined ? undefined : new Date(before);
    const isEarlier = until === undefined ? sql`true` : sql`"createdAt" < ${until}::timestamptz`;
    const isUnread = sql`"userId" = ${caller.userId} AND "readAt" IS NULL AND "inApp"`;
    const [marked] = await tx.query(sql`WITH marked AS (
        UPDATE notifications SET "readAt" = ${tx.now}::timestamptz
        WHERE ${inOrder("notifications", sql`${isUnread} AND ${isEarlier}`)} RETURNING id)
      SELECT 1 FROM marked LIMIT 1`);
    const data = { before: until === undefined ? null : iso(until) };
    if (marked !== undefined) tx.emitTo(caller.userId, { type: "notification.all_read", data });
    return success;
  });
