import { z } from "zod";
import {
  ActorName,
  CreatedAt,
  DueDate,
  IsDueAllDay,
  WebhookName,
  WorkspaceName,
} from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Timestamp } from "../vocabulary/texts.ts";
import { notificationTypes } from "../vocabulary/notifications.ts";
import { BoardRef } from "./boards.ts";
import { CardName } from "./cards.ts";

/** What a notification stores of its event. Names are looked up when it is read. */
export const NotificationData = z.object({
  event: z
    .string()
    .nullable()
    .meta({
      description: "The type of the event. Null if there is no event.",
      examples: ["comment.created"],
    }),
  actor: z
    .object({
      type: z.string().meta({ description: "The kind of actor.", examples: ["user"] }),
      publicId: idOf("user", "Public id of the user or API key. Null for other actors.").nullable(),
      name: ActorName,
    })
    .nullable(),
  comment: z
    .object({
      publicId: idOf("notification"),
      excerpt: z.string().meta({
        description: "The start of the text, or the part that matches.",
        examples: ["Looks good to me."],
      }),
    })
    .optional(),
  dueDate: Timestamp.optional(),
  isDueAllDay: z.boolean().optional(),
  /** How many cards the action named, if several. */
  cards: z.int().optional(),
  webhook: z.object({ publicId: idOf("notification"), name: ActorName }).optional(),
});

/** A notification of a user. `event` is the event type, `actor` its actor. */
export const Notification = z
  .object({
    publicId: idOf("notification"),
    type: z.enum(notificationTypes).meta({
      id: "NotificationType",
      description: "Why a user is notified.",
      examples: ["mentioned"],
    }),
    event: NotificationData.shape.event,
    actor: NotificationData.shape.actor.meta({
      description: "Who caused the event: a user, an API key, an import or the system.",
    }),
    workspace: z
      .object({ publicId: idOf("workspace"), name: WorkspaceName })
      .meta({ description: "The workspace." }),
    board: BoardRef.nullable().meta({
      description: "The board.",
      examples: [{ publicId: "p5d2h8s4t6b1", name: "Website relaunch" }],
    }),
    card: CardName.nullable().meta({
      description: "The card. Null if there is none, or if the caller cannot see it.",
      examples: [
        { publicId: "q8w2e5r7t1y4", title: "Write the announcement", cardNumber: "AE-12" },
      ],
    }),
    cardCount: z.int().meta({
      description: "How many cards the action changed for the user: `card` is the first.",
      examples: [1],
    }),
    comment: z
      .object({
        publicId: idOf("comment"),
        excerpt: z.string().meta({
          description: "The start of the text, or the part that matches.",
          examples: ["Looks good to me."],
        }),
      })
      .nullable()
      .meta({ description: "The start of the comment." }),
    dueDate: DueDate,
    isDueAllDay: IsDueAllDay,
    webhook: z
      .object({ publicId: idOf("webhook"), name: WebhookName })
      .nullable()
      .meta({ description: "The disabled webhook." }),
    isRead: z.boolean().meta({ description: "Whether the user has read it." }),
    readAt: Timestamp.nullable().meta({
      description: "When the user read it, in UTC. Null until then.",
      examples: [null],
    }),
    createdAt: CreatedAt,
  })
  .meta({ id: "Notification", description: "A notification of the caller." });
