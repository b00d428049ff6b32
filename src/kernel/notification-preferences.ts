import { z } from "zod";
import { sql, type Sql } from "../platform/db/sql.ts";
import type { NotificationType } from "../contract/vocabulary/notifications.ts";

const Channels = z
  .object({
    app: z.boolean().meta({ description: "Whether they appear in the list of notifications." }),
    mail: z.boolean().meta({ description: "Whether they are sent by mail." }),
  })
  .meta({ id: "NotificationChannels" });

/** The channels of each type of notification. */
export const NotificationSettings = z
  .object(forEachType(() => Channels))
  .meta({ id: "NotificationSettings" });

/** The channels of each type of notification. */
export type Settings = z.infer<typeof NotificationSettings>;

/** A change of some channels. */
export const NotificationSettingsChange = z.strictObject(
  forEachType(() =>
    z.strictObject({ app: z.boolean().optional(), mail: z.boolean().optional() }).optional(),
  ),
);

const Stored = z
  .object(forEachType(() => Channels.partial().optional().catch(undefined)))
  .catch({});

/** The channels of one type; both unless the user has switched one off. */
export function wants(stored: unknown, type: NotificationType): z.infer<typeof Channels> {
  const { app = true, mail = true } = Stored.parse(stored)[type] ?? {};
  return { app, mail };
}

/** All settings of a user, with defaults. */
export const settingsOf = (stored: unknown): Settings => forEachType((type) => wants(stored, type));

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
