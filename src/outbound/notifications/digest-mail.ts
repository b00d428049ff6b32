import type { CardIds } from "../../platform/frontend-pages.ts";
import { summaryOf, type LocalNotification } from "./summary.ts";

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
