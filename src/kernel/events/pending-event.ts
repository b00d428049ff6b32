import type { EventType } from "../../contract/events.ts";

/** What has been announced. `data` is in its public view. */
export type PendingEvent = {
  type: EventType;
  data: Record<string, unknown>;
  changes?: Changes | undefined;
  /** Whether it shows in the history of its card, where that is not as the catalogue says. */
  isActivity?: boolean | undefined;
};

/** Which fields of the main thing changed, in their public view. */
export type Changes = Record<string, { from: unknown; to: unknown }>;
