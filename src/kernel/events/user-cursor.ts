import type { Seal } from "../../platform/crypto/seal.ts";
import { checkRetained, opened } from "./cursor.ts";
import type { UserPosition } from "./user-log.ts";

/** The position of a stream of a user: in the user's log, and a cursor of each workspace's log. */
export type UserStreamPosition = { user: UserPosition; logs: ReadonlyMap<string, string> };

const purposeOf = (userId: bigint) => `cursor of the events of user ${userId}`;

/** The cursor of a position: a sealed part, and for each workspace its id and cursor. */
export function writeUserCursor(
  seal: Seal,
  userId: bigint,
  { user, logs }: UserStreamPosition,
  at: Date,
): string {
  const parts = [user.transactionId, user.id, at.getTime(), user.createdAt?.getTime()];
  const sealed = seal.seal(purposeOf(userId), parts.join("."));
  return [sealed, ...[...logs].map(([workspace, cursor]) => `${workspace}:${cursor}`)].join("~");
}

/** The position of a cursor; 400 for one that is invalid or older than the retained events. */
export function readUserCursor(
  seal: Seal,
  userId: bigint,
  cursor: string,
  { now, days, field }: { now: Date; days: number; field: string },
): UserStreamPosition {
  const [sealed = "", ...logs] = cursor.split("~");
  const parts = opened(seal, purposeOf(userId), sealed, field).split(".");
  const [transactionId, id, at, createdAt] = parts;
  checkRetained(Number(at), now, days, field);
  return {
    user: {
      transactionId: BigInt(transactionId ?? 0),
      id: BigInt(id ?? 0),
      createdAt: createdAt ? new Date(Number(createdAt)) : null,
    },
    logs: new Map(
      logs.map((one) => [one.slice(0, one.indexOf(":")), one.slice(one.indexOf(":") + 1)]),
    ),
  };
}
