import { z } from "zod";
import type { NotificationType } from "../contract/vocabulary/notifications.ts";

const Ways = z
  .object({
    app: z.boolean().meta({ description: "In the list of notifications." }),
    mail: z.boolean().meta({ description: "By mail." }),
  })
  .meta({ id: "NotificationWays" });

/** How a user wants to hear of each type of notification. */
export const NotificationSettings = z
  .object(eachType(() => Ways))
  .meta({ id: "NotificationSettings" });

/** How a user wants to hear of each type of notification. */
export type Settings = z.infer<typeof NotificationSettings>;

/** What a user may change of it. */
export const NotificationSettingsChange = z.strictObject(
  eachType(() =>
    z.strictObject({ app: z.boolean().optional(), mail: z.boolean().optional() }).optional(),
  ),
);

const Stored = z.object(eachType(() => Ways.partial().optional().catch(undefined))).catch({});

/** How a user wants to hear of one type; who has not said otherwise, in both ways. */
export function wants(stored: unknown, type: NotificationType): z.infer<typeof Ways> {
  const { app = true, mail = true } = Stored.parse(stored)[type] ?? {};
  return { app, mail };
}

/** The settings of a user, whole. */
export const settingsOf = (stored: unknown): Settings => eachType((type) => wants(stored, type));

/** SQL: whether the user `u` wants to hear of a type in one way. The default is that of `wants`. */
export const wantsSql = (type: string, way: "app" | "mail") =>
  `COALESCE((u."notificationSettings" -> ${type} ->> '${way}')::boolean, true)`;

function eachType<Value>(make: (type: NotificationType) => Value): Record<NotificationType, Value> {
  return {
    assigned: make("assigned"),
    mentioned: make("mentioned"),
    watched: make("watched"),
    due_soon: make("due_soon"),
    invited: make("invited"),
    webhook_disabled: make("webhook_disabled"),
  };
}
