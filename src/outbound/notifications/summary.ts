import type { z } from "zod";
import { catalog } from "../../contract/events.ts";
import type { Notification } from "../../contract/resources/notifications.ts";

/** A notification in one line. */
export function summaryOf(notification: z.infer<typeof Notification>): string {
  const { type, actor, workspace, comment, dueDate, webhook } = notification;
  const actorName = actor?.name ?? "A deleted user";
  const quote = comment === null ? "" : `: “${comment.excerpt}”`;
  const webhookName = webhook === null ? "" : ` “${webhook.name}”`;
  const summary = {
    assigned: `${actorName} assigned you`,
    mentioned: `${actorName} mentioned you${quote}`,
    watched: `${aboutOf(notification.event)}, by ${actorName}${quote}`,
    due_soon: `Due on ${(dueDate ?? "").slice(0, 16).replace("T", " at ")} UTC`,
    invited: `${actorName} invited you to ${workspace.name}`,
    webhook_disabled: `The webhook${webhookName} of ${workspace.name} was disabled`,
  }[type];
  return summary.replace(/\s+/g, " ");
}

function aboutOf(event: string | null): string {
  return Object.entries(catalog).find(([type]) => type === event)?.[1].about ?? "The card changed";
}
