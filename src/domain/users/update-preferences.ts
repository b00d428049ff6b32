import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { present } from "../../kernel/events/changes.ts";
import type { User } from "../../platform/db/rows.ts";
import { checkPrecondition } from "../../kernel/invocation/preconditions.ts";
import { rest } from "../../kernel/request/rest.ts";
import {
  NotificationSettingsChange,
  settingsOf,
  type Settings,
} from "../../kernel/notification-preferences.ts";
import { notificationTypes } from "../../contract/vocabulary/notifications.ts";
import { Preferences, viewPreferences } from "./preferences.ts";
import { sql } from "../../platform/db/sql.ts";

const Update = z.strictObject({
  notifications: NotificationSettingsChange.meta({
    description: "The channels of each type of notification. Absent ones stay as they are.",
    examples: [{ assigned: { app: true, mail: false } }],
  }).optional(),
});

/** Changes the caller's preferences. */
export const updatePreferences = mutation("user.updatePreferences", Update)
  .meta(
    rest("Users").put(
      "/users/me/preferences",
      "Update your preferences",
      "Changes how the caller receives the given types of notifications. Other types and " +
        "existing notifications stay as they are.",
      { errors: ["PRECONDITION_FAILED"], versioned: true },
    ),
  )
  .output(Preferences)
  .mutation(async ({ ctx: { caller, tx, ifMatch }, input }) => {
    const [user] = await tx.query<Pick<User, "publicId" | "version" | "notificationSettings">>(
      sql`SELECT "publicId", version, "notificationSettings" FROM users WHERE id = ${caller.userId}
        FOR NO KEY UPDATE`,
    );
    if (user === undefined) throw credentialExpired();
    checkPrecondition(ifMatch, user.version);
    tx.version = user.version;
    const before = settingsOf(user.notificationSettings);
    const after = changeSettings(before, input.notifications ?? {});
    if (JSON.stringify(after) === JSON.stringify(before)) return viewPreferences(user);
    const row = await tx.prisma.user.update({
      where: { id: caller.userId },
      data: { notificationSettings: after, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.version = row.version;
    return viewPreferences(row);
  });

/** The settings after a change. */
function changeSettings(
  before: Settings,
  change: z.infer<typeof NotificationSettingsChange>,
): Settings {
  const after = structuredClone(before);
  for (const type of notificationTypes) Object.assign(after[type], present(change[type] ?? {}));
  return after;
}
