import type { Sql } from "../../platform/db/sql.ts";
import type { PendingEvent } from "./pending-event.ts";
import type { Actor } from "./actor.ts";

/** One write of events: the events of one transaction in one workspace. */
export type EventWrite = {
  workspaceId: bigint;
  actor: Actor;
  now: Date;
  events: PendingEvent[];
  /** The public ids of the events, in the same order. */
  publicIds: string[];
  /** Whether an earlier statement has written events of the same transaction. */
  isContinued: boolean;
};

/**
 * Derives rows from events, in the statement that writes those events.
 *
 * Returns common table expressions, or null for nothing to write. They may read `recorded`
 * ("id", "publicId", "type", "boardPublicId", "data").
 */
export type EventConsumer = (write: EventWrite) => Sql | null;
