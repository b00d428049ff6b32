import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { Failure } from "../../platform/errors.ts";

/** A position in a workspace's log: an event, or with id 0 before a transaction's first event. */
export type Position = { transactionId: bigint; id: bigint };

/** Whether one position is before another. */
export const isBefore = (one: Position, other: Position) =>
  one.transactionId === other.transactionId
    ? one.id < other.id
    : one.transactionId < other.transactionId;

const dayMs = 24 * 60 * 60_000;
// An event is older than its commit by as long as a transaction may run, and clocks differ.
const marginMs = 60_000;

/** The cursors of one workspace's log: a sealed position and its time, the same for all readers. */
export function cursorsOf(seal: Seal, workspaceId: bigint, retentionDays: number) {
  const purpose = `cursor of the log of ${workspaceId}`;
  return {
    /** The cursor after `position`; all later events are newer than `at`. */
    write: ({ transactionId, id }: Position, at: Date) =>
      seal.seal(purpose, `${transactionId}.${id}.${at.getTime()}`),
    /** The position of a cursor; 400 for one that is invalid or older than the retained events. */
    read(cursor: string, now: Date, field: string): Position {
      const [transactionId, id, at] = opened(seal, purpose, cursor, field).split(".");
      if (Number(at) < now.getTime() - retentionDays * dayMs + marginMs)
        throw expired(retentionDays, field);
      return { transactionId: BigInt(transactionId ?? 0), id: BigInt(id ?? 0) };
    },
  };
}

/** The cursors of one workspace's log. */
export type Cursors = ReturnType<typeof cursorsOf>;

/** The time of the oldest event in a log that is read from its start. */
export const retainedSince = (now: Date, retentionDays: number) =>
  new Date(now.getTime() - retentionDays * dayMs + 2 * marginMs);

const expired = (retentionDays: number, field: string) =>
  new Failure("BAD_REQUEST", [
    {
      message:
        `The cursor is older than the ${retentionDays} days for which events are retained. ` +
        "Read the resources again, and continue from `now`.",
      path: [field],
      code: "cursor_expired",
    },
  ]);

/** 400 for a cursor that is newer than the database, which was restored from a backup. */
export const aheadOfLog = (field: string) =>
  new Failure("BAD_REQUEST", [
    {
      message: "The cursor is ahead of the log: the database has been set back since it was made.",
      path: [field],
      code: "cursor_ahead",
    },
  ]);

function opened(seal: Seal, purpose: string, cursor: string, field: string): string {
  try {
    return seal.open(purpose, cursor);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    throw new Failure("BAD_REQUEST", [
      { message: "Invalid cursor.", path: [field], code: "cursor_unknown" },
    ]);
  }
}
