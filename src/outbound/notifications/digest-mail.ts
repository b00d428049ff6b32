import type { z } from "zod";
import { sentenceOf } from "./sentence.ts";
import type { Notification } from "../../contract/resources/notifications.ts";

/** How many notifications one mail tells in full. */
export const mostInOneMail = 50;

type Shown = z.infer<typeof Notification>;

/** Notifications (oldest first) as one mail, by card; `total` is how many there are with those that are left out. */
export function digestMail(
  notifications: Shown[],
  total: number,
): { subject: string; text: string } {
  const sections = new Map<string, string[]>();
  for (const notification of notifications) {
    const heading = headingOf(notification);
    sections.set(heading, [...(sections.get(heading) ?? []), `- ${sentenceOf(notification)}`]);
  }
  const left = total - notifications.length;
  const [only] = notifications.length === 1 && left === 0 ? notifications : [];
  return {
    subject:
      only === undefined
        ? `${total} notifications`
        : `${only.card === null ? only.workspace.name : only.card.cardNumber}: ${sentenceOf(only)}`,
    text: [
      ...Array.from(sections, ([heading, lines]) => [heading, ...lines].join("\n")),
      ...(left > 0 ? [`… and ${left} more`] : []),
      "You can choose in your preferences what you hear of, and how.",
    ].join("\n\n"),
  };
}

function headingOf({ card, board, workspace }: Shown): string {
  const heading =
    card === null || board === null
      ? workspace.name
      : `${card.cardNumber} ${card.title} (${board.name})`;
  return heading.replace(/\s+/g, " ");
}
