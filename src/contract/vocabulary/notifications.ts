/** What a user can be told of. */
export const notificationTypes = [
  "assigned",
  "mentioned",
  "watched",
  "due_soon",
  "invited",
  "webhook_disabled",
] as const;

/** One of the things that a user can be told of. */
export type NotificationType = (typeof notificationTypes)[number];
