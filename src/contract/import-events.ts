import type { EventType } from "./events.ts";

/** What an import may announce: how it goes, and everything that it makes. */
export const importEvents = [
  "import.started",
  "import.progress",
  "import.completed",
  "import.failed",
  "board.created",
  "list.created",
  "label.created",
  "card.created",
  "checklist.created",
  "checklist_item.created",
  "comment.created",
  "attachment.created",
] as const satisfies readonly EventType[];

/** One of the events that an import may announce. */
export type ImportEvent = (typeof importEvents)[number];
