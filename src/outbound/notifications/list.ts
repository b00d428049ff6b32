import { z } from "zod";
import { Notification } from "../../contract/resources/notifications.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { selectNotifications, viewNotification, type NotificationRow } from "./view.ts";

const Filter = Page.extend({
  unread: z.boolean().meta({ description: "Only unread notifications." }).optional(),
});

/** Lists the caller's notifications that they can see, newest first. */
export const notifications = query("user.notifications", Filter)
  .meta(
    rest("Users").get(
      "/users/me/notifications",
      "List your notifications",
      "Returns the caller's notifications, newest first: assignments, mentions, changes of " +
        "watched cards, due cards, invitations and disabled webhooks. Those about boards that " +
        "the caller cannot see are left out.",
    ),
  )
  .output(pageOf(Notification))
  .query(async ({ ctx: { caller, db, deps }, input: { limit, cursor, unread = false } }) => {
    const pages = pagesById(deps.seal, `notifications of ${caller.userId}`);
    const before = pages.after(cursor);
    const rows = await db.query<NotificationRow>(sql`${selectNotifications(deps.config)}
        AND n."userId" = ${caller.userId} AND n."inApp"
        ${before === undefined ? sql.empty : sql`AND n.id < ${before}`}
        ${unread ? sql`AND n."readAt" IS NULL` : sql.empty}
      ORDER BY n.id DESC LIMIT ${limit + 1}`);
    return pages.page(rows, limit, viewNotification);
  });
