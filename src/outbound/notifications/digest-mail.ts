import type { z } from "zod";
import type { Notification } from "../../contract/resources/notifications.ts";
import { summaryOf } from "./summary.ts";

/** How many notifications one mail lists. */
export const maxInMail = 50;

type NotificationView = z.infer<typeof Notification>;

/** A mail with notifications (oldest first) by card; `total` includes those that do not fit. */
export function digestMail(
  notifications: NotificationView[],
  total: number,
): { subject: string; text: string } {
  const sections = new Map<string, string[]>();
  for (const notification of notifications) {
    const heading = headingOf(notification);
    sections.set(heading, [...(sections.get(heading) ?? []), `- ${summaryOf(notification)}`]);
  }
  const more = total - notifications.length;
  return {
    subject: subjectOf(notifications, total),
    text: [
      ...Array.from(sections, ([heading, lines]) => [heading, ...lines].join("\n")),
      ...(more > 0 ? [`… and ${more} more`] : []),
      "You can choose your notifications in your preferences.",
    ].join("\n\n"),
  };
}

function subjectOf([first]: NotificationView[], total: number): string {
  if (first === undefined || total !== 1) return `${total} notifications`;
  return `${first.card?.cardNumber ?? first.workspace.name}: ${summaryOf(first)}`;
}

function headingOf({ card, board, workspace }: NotificationView): string {
  const heading =
    card === null || board === null
      ? workspace.name
      : `${card.cardNumber} ${card.title} (${board.name})`;
  return heading.replace(/\s+/g, " ");
}
