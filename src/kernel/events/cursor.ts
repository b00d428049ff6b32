import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { Failure } from "../../platform/errors.ts";

/** A place in the log of a workspace: an event, or (with an id of 0) before all that a transaction wrote. */
export type Position = { transactionId: bigint; id: bigint };

/** Whether one place comes before another. */
export const isBefore = (one: Position, other: Position) =>
  one.transactionId === other.transactionId
    ? one.id < other.id
    : one.transactionId < other.transactionId;

const dayMs = 24 * 60 * 60_000;
// An event is older than its commit by as long as a transaction may run, and clocks differ.
const marginMs = 60_000;

/** The cursors of one workspace's log. A cursor is a place and when it was a good one, sealed: the same for every reader, since it says nothing of what they may see. */
export function cursorsOf(seal: Seal, workspaceId: bigint, keptDays: number) {
  const purpose = `cursor of the log of ${workspaceId}`;
  return {
    /** The cursor after `position`, of which all that comes later was made after `at`. */
    write: ({ transactionId, id }: Position, at: Date) =>
      seal.seal(purpose, `${transactionId}.${id}.${at.getTime()}`),
    /** The place that a cursor names; 400 for one that is not ours, or older than what is kept. */
    read(cursor: string, now: Date, field: string): Position {
      const [transactionId, id, at] = opened(seal, purpose, cursor, field).split(".");
      if (Number(at) < now.getTime() - keptDays * dayMs + marginMs) throw expired(keptDays, field);
      return { transactionId: BigInt(transactionId ?? 0), id: BigInt(id ?? 0) };
    },
  };
}

/** The cursors of one workspace's log. */
export type Cursors = ReturnType<typeof cursorsOf>;

/** The earliest moment of which a log that is read from its beginning still tells. */
export const keptSince = (now: Date, keptDays: number) =>
  new Date(now.getTime() - keptDays * dayMs + 2 * marginMs);

const expired = (keptDays: number, field: string) =>
  new Failure("BAD_REQUEST", [
    {
      message: `The cursor is older than the ${keptDays} days for which events are kept. Read the things themselves anew, and go on from \`now\`.`,
      path: [field],
      code: "cursor_expired",
    },
  ]);

/** 400 for a cursor of a later state of the database than the one that there is. */
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
      { message: "The cursor is not one of ours.", path: [field], code: "cursor_unknown" },
    ]);
  }
}
