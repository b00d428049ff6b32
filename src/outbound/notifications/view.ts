import { z } from "zod";
import { BoardRef } from "../../domain/boards/view.ts";
import { cardName, CardName } from "../../domain/cards/view.ts";
import { iso, isoOrNull, Timestamp } from "../../contract/fields.ts";
import { notificationTypes, type NotificationType } from "../../contract/notifications.ts";
import { visibleNotifications } from "./visible.ts";

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

/** A notification's row with what it is about. */
export type NotificationRow = {
  id: bigint;
  publicId: string;
  type: NotificationType;
  data: unknown;
  createdAt: Date;
  readAt: Date | null;
  workspacePublicId: string;
  workspaceName: string;
  cardPrefix: string;
  boardPublicId: string | null;
  boardName: string | null;
  cardPublicId: string | null;
  cardTitle: string | null;
  cardNumber: number | null;
};

/** SQL: the rows that `viewNotification` shows; a condition may follow. */
export const selectNotifications = `SELECT n.id, n."publicId", n.type, n.data, n."createdAt", n."readAt",
    workspace."publicId" AS "workspacePublicId", workspace.name AS "workspaceName", workspace."cardPrefix",
    board."publicId" AS "boardPublicId", board.name AS "boardName",
    card."publicId" AS "cardPublicId", card.title AS "cardTitle", card.number AS "cardNumber"
  ${visibleNotifications}`;

/** Shows a notification to its owner. */
export function viewNotification(row: NotificationRow): z.infer<typeof Notification> {
  const { event, actor, comment, dueDate, webhook } = NotificationData.parse(row.data);
  const { boardPublicId, boardName, cardPublicId, cardTitle, cardNumber } = row;
  return {
    publicId: row.publicId,
    type: row.type,
    event,
    actor,
    workspace: { publicId: row.workspacePublicId, name: row.workspaceName },
    board:
      boardPublicId === null || boardName === null
        ? null
        : { publicId: boardPublicId, name: boardName },
    card:
      cardPublicId === null || cardTitle === null || cardNumber === null
        ? null
        : cardName({ publicId: cardPublicId, title: cardTitle, number: cardNumber }, row),
    comment: comment ?? null,
    dueDate: dueDate ?? null,
    webhook: webhook ?? null,
    isRead: row.readAt !== null,
    readAt: isoOrNull(row.readAt),
    createdAt: iso(row.createdAt),
  };
}
