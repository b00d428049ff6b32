import type { CardIds } from "../../platform/frontend-pages.ts";
import type { z } from "zod";
import { catalog } from "../../contract/events.ts";
import type { Notification } from "../../contract/resources/notifications.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** A notification with the time zone in which its recipient reads it. */
type LocalNotification = z.infer<typeof Notification> & { timeZone: string };

/** A notification in one line. */
function summaryOf(notification: LocalNotification): string {
  const { type, actor, workspace, comment, dueDate, isDueAllDay, webhook, timeZone, cardCount } =
    notification;
  const others = cardCount > 1 ? ` (this and ${cardCount - 1} other cards)` : "";
  const actorName = actor?.name ?? "A deleted user";
  const quote = comment === null ? "" : `: “${comment.excerpt}”`;
  const webhookName = webhook === null ? "" : ` “${webhook.name}”`;
  const dueOn = (date: string) => (isDueAllDay ? date.slice(0, 10) : localTime(date, timeZone));
  const summary = {
    assigned: `${actorName} assigned you${others}`,
    mentioned: `${actorName} mentioned you${quote}`,
    watched: `${aboutOf(notification.event)}, by ${actorName}${quote}${others}`,
    due_soon: dueDate === null ? "Due soon" : `Due on ${dueOn(dueDate)}`,
    invited: `${actorName} invited you to ${workspace.name}`,
    webhook_disabled: `The webhook${webhookName} of ${workspace.name} was disabled`,
  }[type];
  return summary.replace(/\s+/g, " ");
}

/** A moment in the local time of a time zone. */
function localTime(moment: string, timeZone: string): string {
  // The Swedish format looks like ISO 8601.
  const format = new Intl.DateTimeFormat("sv", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone,
  });
  return `${format.format(new Date(moment)).replace(" ", " at ")} ${timeZone}`;
}

function aboutOf(event: string | null): string {
  return Object.entries(catalog).find(([type]) => type === event)?.[1].about ?? "The card changed";
}

/** How many notifications one mail lists. */
export const maxInMail = 50;

/**
 * A mail with notifications (oldest first) by card, each card with its link where one exists.
 * `total` includes the notifications that do not fit.
 */
export function digestMail(
  notifications: LocalNotification[],
  total: number,
  linkOf: (ids: CardIds) => string | undefined,
): { subject: string; text: string; verbatim: string[] } {
  const sections = new Map<string, string[]>();
  const links = new Set<string>();
  for (const notification of notifications) {
    const link = cardLink(notification, linkOf);
    if (link !== undefined) links.add(link);
    const heading = [headingOf(notification), link ?? []].flat().join("\n");
    getOrInsert(sections, heading, () => []).push(`- ${summaryOf(notification)}`);
  }
  const unlisted = total - notifications.length;
  return {
    subject: subjectOf(notifications, total),
    text: [
      ...Array.from(sections, ([heading, lines]) => [heading, ...lines].join("\n")),
      ...(unlisted > 0 ? [`… and ${unlisted} more`] : []),
      "You can choose your notifications in your preferences.",
    ].join("\n\n"),
    verbatim: [...links],
  };
}

function subjectOf([first]: LocalNotification[], total: number): string {
  if (first === undefined || total !== 1) return `${total} notifications`;
  return `${first.card?.cardNumber ?? first.workspace.name}: ${summaryOf(first)}`;
}

function cardLink(
  { card, board, workspace }: LocalNotification,
  linkOf: (ids: CardIds) => string | undefined,
) {
  if (card === null || board === null) return undefined;
  return linkOf({
    workspacePublicId: workspace.publicId,
    boardPublicId: board.publicId,
    cardPublicId: card.publicId,
  });
}

function headingOf({ card, board, workspace }: LocalNotification): string {
  const heading =
    card === null || board === null
      ? workspace.name
      : `${card.cardNumber} ${card.title} (${board.name})`;
  return heading.replace(/\s+/g, " ");
}
