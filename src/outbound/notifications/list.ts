import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Notification } from "../../contract/resources/notifications.ts";
import { selectNotifications, viewNotification, type NotificationRow } from "./view.ts";

const Input = Page.extend({
  unread: z.boolean().meta({ description: "Only those that have not been read." }).optional(),
});

const statement = `${selectNotifications} AND n."userId" = $1 AND n."inApp"
    AND ($2::bigint IS NULL OR n.id < $2) AND (NOT $3::boolean OR n."readAt" IS NULL)
  ORDER BY n.id DESC LIMIT $4`;

/** What the caller should hear of, newest first; nothing of what they may not see (any more). */
export const notifications = query("user.notifications", Input)
  .meta(
    rest("Users").get(
      "/users/me/notifications",
      "List the caller's notifications",
      "What the caller should hear of, newest first: cards that they were put on, mentions, changes of cards that they watch, cards that are due soon, invitations, webhooks that were disabled. What lies on a board that they may not see any more is left out.",
    ),
  )
  .output(pageOf(Notification))
  .query(async ({ ctx: { caller, db, deps }, input: { limit, cursor, unread = false } }) => {
    const pages = pagesById(deps.seal, `notifications of ${caller.userId}`);
    const rows = await db.query<NotificationRow>(statement, [
      caller.userId,
      pages.after(cursor) ?? null,
      unread,
      limit + 1,
    ]);
    return pages.page(rows, limit, viewNotification);
  });
