import type { Seal } from "../../platform/crypto/seal.ts";
import { failure } from "../../platform/errors.ts";
import { openCursor } from "../pages/by-id.ts";
import type { Log } from "./logs.ts";

/** A point in a log: after an event, or at the start of the log. */
export type LogPosition = {
  /** The number of the event: the numbers of a log are 1, 2, 3 and so on, in order of commits. */
  number: bigint;
  /** The event's public id: it is random, so that a restored database does not have it. */
  publicId: string | null;
  createdAt: Date | null;
};

/** A position that a cursor names; earlier versions named no number. */
export type NamedPosition = Omit<LogPosition, "number"> & { number: bigint | null };

/** The position before the first event. */
export const logStart: LogPosition = { number: 0n, publicId: null, createdAt: null };

/** The position after an event, without the event's data. */
export const positionAfter = ({ number, publicId, createdAt }: LogPosition): LogPosition => ({
  number,
  publicId,
  createdAt,
});

const invalid = "The cursor is invalid. Send one of this log, or `now`.";
const dayMs = 24 * 60 * 60_000;
// An event is older than its commit by as long as a transaction may run, and clocks differ.
const marginMs = 60_000;

/**
 * The cursors of a log, the same for all its readers.
 *
 * A cursor is a sealed position with its time, a dot, and a text that sorts like the position.
 */
export function cursorsOf(seal: Seal, { of, id }: Log, retentionDays: number) {
  const purpose = `cursor of the log of ${of === "user" ? "user " : ""}${id}`;
  return {
    /** The cursor after `position`; all later events are newer than `at`. */
    write({ number, publicId, createdAt }: LogPosition, at: Date): string {
      const parts = [number, at.getTime(), publicId, createdAt?.getTime()];
      return `${seal.sealEqually(purpose, parts.join("."))}.${orderOf({ number })}`;
    },
    /** What a cursor names; 400 for one that is invalid or older than the retained events. */
    read(cursor: string, now: Date, field: string): NamedPosition {
      const sealed = cursor.split(".", 2).join(".");
      const parts = openCursor(seal, purpose, sealed, invalid, field).split(".");
      // Earlier versions: the id of a transaction, that of the event, and the rest as now.
      const isEarlier = parts.length > 4;
      const [first, at, publicId, createdAt] = isEarlier ? parts.slice(1) : parts;
      checkRetained(Number(at), now, retentionDays, field);
      const position = {
        number: isEarlier && publicId !== "" ? null : BigInt(first ?? 0),
        publicId: publicId || null,
        createdAt: createdAt ? new Date(Number(createdAt)) : null,
      };
      return verifiable(position, now, retentionDays);
    },
  };
}

/** The position without its event when that may have been purged. */
export const verifiable = <Named extends NamedPosition>(
  position: Named,
  now: Date,
  retentionDays: number,
): Named =>
  (position.createdAt?.getTime() ?? 0) < retainedFrom(now, retentionDays)
    ? { ...position, publicId: null }
    : position;

const retainedFrom = (now: Date, retentionDays: number) =>
  now.getTime() - retentionDays * dayMs + marginMs;

// The orders of earlier versions begin with 1 to d: all later ones sort after them.
const firstOrder = 13;

/** The part of a cursor that sorts like its number: how many digits follow, then the digits. */
export function orderOf({ number }: Pick<LogPosition, "number">): string {
  const digits = number.toString(36);
  return (firstOrder + digits.length).toString(36) + digits;
}

/** The cursors of a log. */
export type Cursors = ReturnType<typeof cursorsOf>;

/** The time of the oldest event in a log that is read from its start. */
export const retainedSince = (now: Date, retentionDays: number) =>
  new Date(now.getTime() - retentionDays * dayMs + 2 * marginMs);

/** 400 for a cursor of an event that the database, restored from a backup, does not have. */
export const aheadOfLog = (field: string) =>
  failure(
    "cursor_ahead",
    "The cursor is ahead of the log: the database was restored from an earlier backup. " +
      "Read the resources again, and continue from `now`.",
    { path: [field] },
  );

/** 400 for a cursor of a time before the retained events. */
function checkRetained(at: number, now: Date, retentionDays: number, field: string): void {
  if (at >= retainedFrom(now, retentionDays)) return;
  throw failure(
    "cursor_expired",
    `The cursor is older than the ${retentionDays} days for which events are retained. ` +
      "Read the resources again, and continue from `now`.",
    { path: [field] },
  );
}

/** The cursor of a user's stream: that of the log with the key `own`, and those of workspaces. */
export const writeUserCursor = (cursors: ReadonlyMap<string, string>, own: string): string => {
  const others = [...cursors].filter(([workspace]) => workspace !== own);
  return [cursors.get(own), ...others.map(([id, cursor]) => `${id}:${cursor}`)].join("~");
};

/** The cursors in the cursor of a stream of a user. */
export function partsOfUserCursor(cursor: string): {
  userCursor: string;
  logs: Map<string, string>;
} {
  const [userCursor = "", ...logs] = cursor.split("~");
  return {
    userCursor,
    logs: new Map(
      logs.map((log) => [log.slice(0, log.indexOf(":")), log.slice(log.indexOf(":") + 1)]),
    ),
  };
}
