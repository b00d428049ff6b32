import type { z } from "zod";
import { catalog } from "../../contract/events.ts";
import type { Notification } from "../../contract/resources/notifications.ts";

/** A notification with the time zone in which its recipient reads it. */
export type LocalNotification = z.infer<typeof Notification> & { timeZone: string };

/** A notification in one line. */
export function summaryOf(notification: LocalNotification): string {
  const { type, actor, workspace, comment, dueDate, webhook, timeZone } = notification;
  const actorName = actor?.name ?? "A deleted user";
  const quote = comment === null ? "" : `: “${comment.excerpt}”`;
  const webhookName = webhook === null ? "" : ` “${webhook.name}”`;
  const summary = {
    assigned: `${actorName} assigned you`,
    mentioned: `${actorName} mentioned you${quote}`,
    watched: `${aboutOf(notification.event)}, by ${actorName}${quote}`,
    due_soon: dueDate === null ? "Due soon" : `Due on ${localTime(dueDate, timeZone)}`,
    invited: `${actorName} invited you to ${workspace.name}`,
    webhook_disabled: `The webhook${webhookName} of ${workspace.name} was disabled`,
  }[type];
  return summary.replace(/\s+/g, " ");
}

/** A moment as the clocks of a time zone show it. */
function localTime(moment: string, timeZone: string): string {
  // The Swedish format is that of ISO 8601.
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
