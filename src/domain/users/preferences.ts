import { z } from "zod";
import { Version } from "../../contract/fields/shared.ts";
import { idOf } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import type { User } from "../../platform/db/rows.ts";
import { rest } from "../../kernel/request/rest.ts";
import { NotificationSettings, settingsOf } from "../../kernel/notification-preferences.ts";

/** The settings of a user, with the version of the account. */
export const Preferences = z
  .object({ userPublicId: idOf("user"), version: Version, notifications: NotificationSettings })
  .meta({ id: "Preferences", description: "The settings of the caller." });

/** Shows the settings of a user. */
export const viewPreferences = ({
  publicId,
  version,
  notificationSettings,
}: Pick<User, "publicId" | "version" | "notificationSettings">): z.infer<typeof Preferences> => ({
  userPublicId: publicId,
  version,
  notifications: settingsOf(notificationSettings),
});

/** Returns the caller's preferences. */
export const preferences = query("user.preferences")
  .meta(
    rest("Users").get(
      "/users/me/preferences",
      "Get your preferences",
      "Returns how the caller receives each type of notification: in the app, by mail, both or " +
        "neither.",
    ),
  )
  .output(Preferences)
  .query(async ({ ctx: { caller, db, responseMeta } }) => {
    const user = await db.user.findUnique({ where: { id: caller.userId } });
    if (user === null) throw credentialExpired();
    responseMeta.version = user.version;
    return viewPreferences(user);
  });
