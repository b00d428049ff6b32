import { z } from "zod";
import { Notification } from "../../contract/resources/notifications.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { selectNotifications, viewNotification, type NotificationRow } from "./view.ts";

const Filter = Page.extend({
  unread: z.boolean().meta({ description: "Only unread notifications." }).optional(),
});

const statement = `${selectNotifications} AND n."userId" = $1 AND n."inApp"
    AND ($2::bigint IS NULL OR n.id < $2) AND (NOT $3::boolean OR n."readAt" IS NULL)
  ORDER BY n.id DESC LIMIT $4`;

/** Lists the caller's notifications that they can see, newest first. */
export const notifications = query("user.notifications", Filter)
  .meta(
    rest("Users").get(
      "/users/me/notifications",
      "List notifications",
      "Returns the caller's notifications, newest first: assignments, mentions, changes of " +
        "watched cards, due cards, invitations and disabled webhooks. " +
        "Leaves out boards that the caller cannot see.",
    ),
  )
  .output(pageOf(Notification))
  .query(async ({ ctx: { caller, db, deps }, input: { limit, cursor, unread = false } }) => {
    const pages = pagesById(deps.seal, `notifications of ${caller.userId}`);
    const values = [caller.userId, pages.after(cursor) ?? null, unread, limit + 1];
    const rows = await db.query<NotificationRow>(statement, values);
    return pages.page(rows, limit, viewNotification);
  });
