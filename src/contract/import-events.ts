import type { EventType } from "./events.ts";

/** The events that an import can emit. */
export const importEvents = [
  "import.started",
  "import.progress",
  "import.completed",
  "import.failed",
  "board.created",
  "list.created",
  "label.created",
  "field.created",
  "card.created",
  "checklist.created",
  "checklist_item.created",
  "comment.created",
  "attachment.created",
  "relation.created",
] as const satisfies readonly EventType[];

/** An event that an import can emit. */
export type ImportEvent = (typeof importEvents)[number];
