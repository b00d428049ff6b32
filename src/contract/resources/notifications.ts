import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { notificationTypes } from "../vocabulary/notifications.ts";
import { BoardRef } from "./boards.ts";
import { CardName } from "./cards.ts";

/** What a notification keeps of the event that it tells of; what it is about is looked up when it is read. */
export const NotificationData = z.object({
  event: z.string().nullable(),
  actor: z
    .object({ type: z.string(), publicId: z.string().nullable(), name: z.string() })
    .nullable(),
  comment: z.object({ publicId: z.string(), excerpt: z.string() }).optional(),
  dueDate: Timestamp.optional(),
  webhook: z.object({ publicId: z.string(), name: z.string() }).optional(),
});

/** Something that a user should hear of: `event` is the type of the event that it tells of, `actor` whose doing that was. */
export const Notification = z
  .object({
    publicId: z.string(),
    type: z.enum(notificationTypes),
    event: z.string().nullable(),
    actor: NotificationData.shape.actor,
    workspace: z.object({ publicId: z.string(), name: z.string() }),
    board: BoardRef.nullable(),
    card: CardName.nullable(),
    comment: z
      .object({ publicId: z.string(), excerpt: z.string() })
      .nullable()
      .meta({ description: "The beginning of the comment that it is about." }),
    dueDate: Timestamp.nullable(),
    webhook: z
      .object({ publicId: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "The webhook that has been disabled." }),
    isRead: z.boolean(),
    readAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "Notification" });
