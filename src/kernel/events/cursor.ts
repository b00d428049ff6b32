import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { failure } from "../../platform/errors.ts";

/** A point in a workspace's log. */
export type Position = { transactionId: bigint; id: bigint };

/** The position after an event, or the start of the log without one. */
export type LogPosition = Position & {
  /** The event's public id: it is random, so that a restored database does not have it. */
  publicId: string | null;
  createdAt: Date | null;
};

/** The position before the first event. */
export const logStart: LogPosition = {
  transactionId: 0n,
  id: 0n,
  publicId: null,
  createdAt: null,
};

/** The position after an event, without the event's data. */
export const positionAfter = (event: LogPosition): LogPosition => {
  const { transactionId, id, publicId, createdAt } = event;
  return { transactionId, id, publicId, createdAt };
};

/** Whether one position is before another. */
export const isBefore = (one: Position, other: Position) =>
  one.transactionId === other.transactionId
    ? one.id < other.id
    : one.transactionId < other.transactionId;

const dayMs = 24 * 60 * 60_000;
// An event is older than its commit by as long as a transaction may run, and clocks differ.
const marginMs = 60_000;

/**
 * The cursors of one workspace's log, the same for all readers.
 *
 * A cursor is a sealed position with its time, a dot, and a text that sorts like the position.
 */
export function cursorsOf(seal: Seal, workspaceId: bigint, retentionDays: number) {
  const purpose = `cursor of the log of ${workspaceId}`;
  return {
    /** The cursor after `position`; all later events are newer than `at`. */
    write({ transactionId, id, publicId, createdAt }: LogPosition, at: Date): string {
      const parts = [transactionId, id, at.getTime(), publicId, createdAt?.getTime()];
      const sealed = seal.sealEqually(purpose, parts.join("."));
      return `${sealed}.${orderOf({ transactionId, id })}`;
    },
    /** The position of a cursor; 400 for one that is invalid or older than the retained events. */
    read(cursor: string, now: Date, field: string): LogPosition {
      const sealed = cursor.split(".", 2).join(".");
      const parts = opened(seal, purpose, sealed, field).split(".");
      const [transactionId, id, at, publicId, createdAt] = parts;
      checkRetained(Number(at), now, retentionDays, field);
      const position = {
        transactionId: BigInt(transactionId ?? 0),
        id: BigInt(id ?? 0),
        publicId: publicId || null,
        createdAt: createdAt ? new Date(Number(createdAt)) : null,
      };
      return verifiable(position, now, retentionDays);
    },
  };
}

/** The position without its event when that may have been purged. */
export const verifiable = (position: LogPosition, now: Date, retentionDays: number): LogPosition =>
  (position.createdAt?.getTime() ?? 0) < retainedFrom(now, retentionDays)
    ? { ...position, publicId: null }
    : position;

const retainedFrom = (now: Date, retentionDays: number) =>
  now.getTime() - retentionDays * dayMs + marginMs;

/** The part of a cursor that sorts like its position. */
export const orderOf = ({ transactionId, id }: Position): string =>
  sortable(transactionId) + sortable(id);

/** A number as a text that sorts like it: the number of digits, then the digits. */
function sortable(value: bigint): string {
  const digits = value.toString(36);
  return digits.length.toString(36) + digits;
}

/** The cursors of one workspace's log. */
export type Cursors = ReturnType<typeof cursorsOf>;

/** The time of the oldest event in a log that is read from its start. */
export const retainedSince = (now: Date, retentionDays: number) =>
  new Date(now.getTime() - retentionDays * dayMs + 2 * marginMs);

const expired = (retentionDays: number, field: string) =>
  failure(
    "cursor_expired",
    `The cursor is older than the ${retentionDays} days for which events are retained. ` +
      "Read the resources again, and continue from `now`.",
    { path: [field] },
  );

/** 400 for a cursor of an event that the database, restored from a backup, does not have. */
export const aheadOfLog = (field: string) =>
  failure(
    "cursor_ahead",
    "The cursor is ahead of the log: the database was restored from an earlier backup. " +
      "Read the resources again, and continue from `now`.",
    { path: [field] },
  );

/** 400 for a cursor of a time before the retained events. */
export function checkRetained(at: number, now: Date, retentionDays: number, field: string): void {
  if (at < retainedFrom(now, retentionDays)) throw expired(retentionDays, field);
}

/** The text in a sealed cursor; 400 for an invalid one. */
export function opened(seal: Seal, purpose: string, cursor: string, field: string): string {
  try {
    return seal.open(purpose, cursor);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    throw failure("cursor_unknown", "Invalid cursor. Send one of this log, or `now`.", {
      path: [field],
    });
  }
}
