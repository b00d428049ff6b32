/** The types of notifications. */
export const notificationTypes = [
  "assigned",
  "mentioned",
  "watched",
  "due_soon",
  "invited",
  "webhook_disabled",
] as const;

/** The type of a notification. */
export type NotificationType = (typeof notificationTypes)[number];
