import type { PendingEvent } from "./pending-event.ts";
import type { Actor } from "./actor.ts";

/**
 * Derives rows from events, in the statement that writes those events.
 *
 * Its SQL may read `recorded` ("id", "publicId", "type", "boardPublicId", "data") and these parameters: $2 the workspace,
 * $4 the actor's user, $10 the time.
 */
export type EventConsumer = {
  /** Common table expressions for the events of one write; `input` is the placeholder of what `inputOf` returns. */
  ctes: (input: string) => string;
  /** Values for the SQL, sent as JSON. With an empty array the SQL is left out. Absent: the SQL takes no input. */
  inputOf?: (events: PendingEvent[], publicIds: string[], actor: Actor) => unknown[];
};
