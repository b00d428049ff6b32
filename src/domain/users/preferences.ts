import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { rest } from "../../kernel/request/rest.ts";
import { NotificationSettings, settingsOf } from "../../kernel/notification-preferences.ts";

/** The settings of a user. */
export const Preferences = z
  .object({ notifications: NotificationSettings })
  .meta({ id: "Preferences" });

/** Returns the caller's preferences. */
export const preferences = query("user.preferences")
  .meta(
    rest("Users").get(
      "/users/me/preferences",
      "Get your preferences",
      "Returns how the caller receives each type of notification: in the app, by mail, both " +
        "or neither.",
    ),
  )
  .output(Preferences)
  .query(async ({ ctx: { caller, db, responseMeta } }) => {
    const user = await db.user.findUnique({ where: { id: caller.userId } });
    if (user === null) throw credentialExpired();
    responseMeta.version = user.version;
    return { notifications: settingsOf(user.notificationSettings) };
  });
