import { z } from "zod";
import { sql, type Sql } from "../platform/db/sql.ts";
import type { NotificationType } from "../contract/vocabulary/notifications.ts";

const Channels = z
  .object({
    app: z.boolean().meta({ description: "Whether they appear in the list of notifications." }),
    mail: z.boolean().meta({ description: "Whether they are sent by mail." }),
  })
  .meta({ id: "NotificationChannels", description: "Where notifications of a type appear." });

/** When a user gets notifications of each type. */
const occasions: Readonly<Record<NotificationType, string>> = {
  assigned: "When a member assigns a card to you.",
  mentioned: "When a comment mentions you.",
  watched: "When a card that you watch changes.",
  due_soon: "When a card of yours is due within a day.",
  invited: "When you are invited to a workspace.",
  webhook_disabled: "When a webhook of a workspace that you administer is disabled.",
};

/** The channels of each type of notification. */
export const NotificationSettings = z
  .object(forEachType((type) => Channels.meta({ description: occasions[type] })))
  .meta({ id: "NotificationSettings", description: "The channels of each type of notification." });

/** The channels of each type of notification. */
export type Settings = z.infer<typeof NotificationSettings>;

/** A change of some channels. */
export const NotificationSettingsChange = z.strictObject(
  forEachType((type) =>
    z
      .strictObject({
        app: z
          .boolean()
          .meta({ description: "Whether the notification appears in the list of notifications." })
          .optional(),
        mail: z
          .boolean()
          .meta({ description: "Whether the notification is sent by mail." })
          .optional(),
      })
      .meta({ description: occasions[type] })
      .optional(),
  ),
);

const Stored = z
  .object(forEachType(() => Channels.partial().optional().catch(undefined)))
  .catch({});

/** The channels of one type; both unless the user has switched one off. */
export function wants(storedSettings: unknown, type: NotificationType): z.infer<typeof Channels> {
  const { app = true, mail = true } = Stored.parse(storedSettings)[type] ?? {};
  return { app, mail };
}

/** All settings of a user, with defaults. */
export const settingsOf = (storedSettings: unknown): Settings =>
  forEachType((type) => wants(storedSettings, type));

/** The settings of an account that nobody reads notifications of. */
export const noNotifications: Settings = forEachType(() => ({ app: false, mail: false }));

const channels = { app: sql`'app'`, mail: sql`'mail'` };

/** SQL: whether the user `u` wants a type of notification in a channel, as `wants` says. */
export const wantsSql = (type: Sql, channel: "app" | "mail"): Sql =>
  sql`COALESCE((u."notificationSettings" -> ${type} ->> ${channels[channel]})::boolean, true)`;

function forEachType<Value>(
  make: (type: NotificationType) => Value,
): Record<NotificationType, Value> {
  return {
    assigned: make("assigned"),
    mentioned: make("mentioned"),
    watched: make("watched"),
    due_soon: make("due_soon"),
    invited: make("invited"),
    webhook_disabled: make("webhook_disabled"),
  };
}
