import type { PendingEvent } from "./pending-event.ts";
import type { Actor } from "./actor.ts";

/**
 * Derives rows from events, in the statement that writes those events.
 *
 * Its SQL may read `recorded` ("id", "publicId", "type", "boardPublicId", "data").
 * Its parameters are $2, the workspace, $4, the actor's user, and $10, the time.
 */
export type EventConsumer = {
  /** Common table expressions for one write; `input` is the placeholder of `inputOf`'s result. */
  ctes: (input: string) => string;
  /** Values for the SQL, sent as JSON. An empty array omits the SQL; absent: no input. */
  inputOf?: (events: PendingEvent[], publicIds: string[], actor: Actor) => unknown[];
};
