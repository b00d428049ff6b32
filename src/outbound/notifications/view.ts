import type { z } from "zod";
import { NotificationData, type Notification } from "../../contract/resources/notifications.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import type { NotificationType } from "../../contract/vocabulary/notifications.ts";
import { cardName } from "../../domain/presenters/cards.ts";
import type { FactorSetting } from "../../kernel/access/second-factor.ts";
import type { VerifySettings } from "../../platform/config.ts";
import { sql } from "../../platform/db/sql.ts";
import {
  viewsBoard,
  viewsCard,
  viewsWorkspace,
  visibleNotifications,
} from "./visible-notifications.ts";

/** A notification's row with its workspace, board and card. */
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
  timeZone: string | null;
  boardPublicId: string | null;
  boardName: string | null;
  cardPublicId: string | null;
  cardTitle: string | null;
  cardNumber: number | null;
};

/** SQL: the rows that `viewNotification` shows; a condition can follow. */
export const selectNotifications = (
  config: VerifySettings & FactorSetting,
) => sql`SELECT n.id, n."publicId", n.type, n.data,
    n."createdAt", n."readAt",
    workspace."publicId" AS "workspacePublicId", workspace."cardPrefix",
    workspace."timeZone",
    CASE WHEN n.type = 'invited' OR ${viewsWorkspace} THEN workspace.name ELSE '' END
      AS "workspaceName",
    board."publicId" AS "boardPublicId", CASE WHEN ${viewsBoard} THEN board.name END AS "boardName",
    card."publicId" AS "cardPublicId", CASE WHEN ${viewsCard} THEN card.title END AS "cardTitle",
    card.number AS "cardNumber"
  ${visibleNotifications(config)}`;

/** Shows a notification's row. */
export function viewNotification(row: NotificationRow): z.infer<typeof Notification> {
  const {
    event,
    actor,
    comment,
    dueDate,
    isDueAllDay = false,
    webhook,
    cards = 1,
  } = NotificationData.parse(row.data);
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
    cardCount: cardPublicId === null || cardTitle === null ? 0 : cards,
    comment: comment ?? null,
    dueDate: dueDate ?? null,
    isDueAllDay,
    webhook: webhook ?? null,
    isRead: row.readAt !== null,
    readAt: isoOrNull(row.readAt),
    createdAt: iso(row.createdAt),
  };
}
