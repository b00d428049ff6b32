import type { Sql } from "../../platform/db/sql.ts";
import type { PendingEvent } from "./pending-event.ts";
import type { StoredActor } from "./actor.ts";

/** One write of events: the events of one transaction in one workspace. */
export type EventWrite = {
  workspaceId: bigint;
  actor: StoredActor;
  now: Date;
  events: PendingEvent[];
  /** The public ids of the events, in the same order. */
  publicIds: string[];
  /** Whether the workspace may have a webhook; false where the call found none. */
  mayHaveWebhooks: boolean;
  /** Whether an earlier statement has written events of the same transaction. */
  isContinued: boolean;
};

/** The rows that a consumer derives, as common table expressions. */
export type Derived = {
  /** May read id, number, publicId, type, boardPublicId and data of `recorded`. */
  ctes: Sql;
  /** SQL: the bytes that the rows count for, for each list of rows. */
  stored: Sql[];
  /** SQL: whether the rows are work for a worker. */
  isWork?: Sql;
  /** SQL: selects events of users, in order: "userId", "type", "data". */
  userEvents?: Sql;
};

/**
 * Derives rows from events, in the statement that writes those events.
 *
 * Returns null for nothing to write.
 */
export type EventConsumer = (write: EventWrite) => Derived | null;
