import type { StoredUserEvent } from "../../contract/user-events.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { oldest, oldestOfOurs } from "./log-sql.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** A point in the log of a user. */
export type UserPosition = { transactionId: bigint; id: bigint; createdAt: Date | null };

/** A row of the log of a user. */
export type UserLogRow = UserPosition & { createdAt: Date; userId: bigint } & StoredUserEvent;

/** The position before the first event. */
const start: UserPosition = { transactionId: 0n, id: 0n, createdAt: null };

/** How many events one read finds for each reader. */
const batch = 100;

/** Writes events of a user, for the streams of the user. */
export async function writeUserEvent(
  tx: Pick<UnitOfWork, "query" | "now" | "noteChange">,
  userId: bigint,
  { type, data }: StoredUserEvent,
): Promise<void> {
  await tx.query(sql`INSERT INTO user_events ("userId", type, data, "createdAt")
    VALUES (${userId}, ${type}, ${JSON.stringify(data)}::jsonb, ${tx.now}::timestamptz)`);
  tx.noteChange(null, Promise.resolve({ hasWork: false, userIds: [userId] }));
}

/** The position after the last complete event of a user. */
export async function endOfUserLog(query: Query, userId: bigint): Promise<UserPosition> {
  const [last] = await query<UserPosition>(sql`
    WITH edge AS MATERIALIZED (SELECT ${oldestOfOurs} AS horizon)
    SELECT id, "transactionId", "createdAt" FROM user_events
    WHERE "userId" = ${userId} AND "transactionId" < (SELECT horizon FROM edge)
    ORDER BY "transactionId" DESC, id DESC LIMIT 1`);
  return last ?? start;
}

/** Whether the log of a user has the event of a position. */
export async function isInUserLog(query: Query, { id, createdAt }: UserPosition, userId: bigint) {
  if (createdAt === null) return true;
  const found = await query(sql`SELECT 1 FROM user_events
    WHERE id = ${id} AND "userId" = ${userId} AND "createdAt" = ${createdAt}::timestamptz`);
  return found.length > 0;
}

/** What the logs of users have after some positions. */
export type UserLogBatch = {
  /** A list of rows for each reader. */
  lists: UserLogRow[][];
  /** The events that an older running transaction blocks. */
  blocked: { userId: bigint; createdAt: Date }[];
};

/**
 * Reads the logs of many readers after their positions.
 *
 * `careful` ignores transactions in other databases of the server, which cannot write here.
 */
export async function readUserLogs(
  query: Query,
  readers: readonly { userId: bigint; position: UserPosition }[],
  careful = false,
): Promise<UserLogBatch> {
  const rows = await query<UserLogRow & { reader: bigint; isBlocked: boolean }>(sql`
    WITH edge AS MATERIALIZED (SELECT ${careful ? oldestOfOurs : oldest} AS horizon)
    SELECT r.reader, e.* FROM unnest(${readers.map((one) => one.userId)}::bigint[],
      ${readers.map(({ position }) => position.transactionId)}::bigint[],
      ${readers.map(({ position }) => position.id)}::bigint[])
      WITH ORDINALITY AS r("userId", "transactionId", id, reader)
    CROSS JOIN LATERAL (
      SELECT e.id, e."userId", e."transactionId", e.type, e.data, e."createdAt",
        e."transactionId" >= (SELECT horizon FROM edge) AS "isBlocked"
      FROM user_events e
      WHERE e."userId" = r."userId" AND (e."transactionId", e.id) > (r."transactionId", r.id)
      ORDER BY e."transactionId", e.id LIMIT ${batch}::int) e
    ORDER BY r.reader, e."transactionId", e.id`);
  const lists = readers.map((): UserLogRow[] => []);
  for (const { reader, isBlocked, ...row } of rows) {
    if (!isBlocked) lists[Number(reader) - 1]?.push(row);
  }
  return { lists, blocked: rows.filter(({ isBlocked }) => isBlocked) };
}
