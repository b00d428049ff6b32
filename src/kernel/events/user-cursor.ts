import type { Seal } from "../../platform/crypto/seal.ts";
import { userCursorsOf, type LogPosition } from "./cursor.ts";

/** The position of a stream of a user: in the user's log, and a cursor of each workspace's log. */
type UserStreamPosition = { user: LogPosition; logs: ReadonlyMap<string, string> };

/** The cursor of a position: that of the user's log, and for each workspace its id and cursor. */
export function writeUserCursor(
  seal: Seal,
  { userId, days }: { userId: bigint; days: number },
  { user, logs }: UserStreamPosition,
  at: Date,
): string {
  const own = userCursorsOf(seal, userId, days).write(user, at);
  return [own, ...[...logs].map(([workspace, cursor]) => `${workspace}:${cursor}`)].join("~");
}

/** The cursors in the cursor of a stream of a user. */
export function partsOfUserCursor(cursor: string): { own: string; logs: Map<string, string> } {
  const [own = "", ...logs] = cursor.split("~");
  return {
    own,
    logs: new Map(
      logs.map((one) => [one.slice(0, one.indexOf(":")), one.slice(one.indexOf(":") + 1)]),
    ),
  };
}
