import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { notificationTypes } from "../vocabulary/notifications.ts";
import { BoardRef } from "./boards.ts";
import { CardName } from "./cards.ts";

/** What a notification stores of its event. Names are looked up when it is read. */
export const NotificationData = z.object({
  event: z.string().nullable(),
  actor: z
    .object({ type: z.string(), publicId: z.string().nullable(), name: z.string() })
    .nullable(),
  comment: z.object({ publicId: z.string(), excerpt: z.string() }).optional(),
  dueDate: Timestamp.optional(),
  webhook: z.object({ publicId: z.string(), name: z.string() }).optional(),
});

/** A notification of a user. `event` is the event type, `actor` its actor. */
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
      .meta({ description: "The start of the comment." }),
    dueDate: Timestamp.nullable(),
    webhook: z
      .object({ publicId: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "The disabled webhook." }),
    isRead: z.boolean(),
    readAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "Notification" });
