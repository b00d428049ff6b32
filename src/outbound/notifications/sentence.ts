import type { z } from "zod";
import { catalog } from "../../contract/events.ts";
import type { Notification } from "../../contract/resources/notifications.ts";

/** What a notification says, in one line. */
export function sentenceOf(notification: z.infer<typeof Notification>): string {
  const { type, actor, workspace, comment, dueDate, webhook } = notification;
  const who = actor?.name ?? "Somebody";
  const said = comment === null ? "" : `: “${comment.excerpt}”`;
  const sentence = {
    assigned: `${who} gave you something to do`,
    mentioned: `${who} mentioned you${said}`,
    watched: `${aboutOf(notification.event)}, by ${who}${said}`,
    due_soon: `It is due on ${(dueDate ?? "").slice(0, 16).replace("T", " at ")} UTC`,
    invited: `${who} invited you to ${workspace.name}`,
    webhook_disabled: `The webhook ${webhook === null ? "" : `“${webhook.name}” `}of ${workspace.name} has been disabled`,
  }[type];
  return sentence.replace(/\s+/g, " ");
}

function aboutOf(event: string | null): string {
  return Object.entries(catalog).find(([type]) => type === event)?.[1].about ?? "Something changed";
}
