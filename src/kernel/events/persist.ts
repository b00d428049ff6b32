import { setImmediate } from "node:timers/promises";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { groupBy } from "../../platform/maps.ts";
import { rowBytes, storedIn } from "../../platform/db/written.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import type { StoredActor } from "./actor.ts";
import type { EventWrite } from "./consumers.ts";
import { positionAfter, type LogPosition } from "./cursor.ts";
import { recordedEvents, type Origin } from "./recorded-sql.ts";
import {
  insertUserEvents,
  appendUserEvents,
  userEventList,
  userEventsIn,
  workOf,
  type WorkRow,
  type UserEventRow,
} from "./user-log.ts";
import { isPersonal } from "../../contract/events.ts";

/** The last event that a transaction wrote to a workspace's log, except personal events. */
export type LastEvent = {
  publicId: string;
  workspaceId: bigint;
  /** Its position, when the database has answered. */
  position: Promise<LogPosition>;
};

/** The result of a statement: its last event, and the events of users, written or to be written. */
type Recorded = LogPosition & WorkRow & { userEvents: UserEventRow[]; stored: bigint };

/** How many events one statement writes. */
const batch = 1_000;

const service: Origin = { ip: null, requestId: null };

/** Completes and sends the pending events of a transaction, as its last step. */
export async function persistEvents(
  tx: UnitOfWork,
  actor: StoredActor,
  origin: Origin | null,
): Promise<LastEvent | undefined> {
  await tx.completeEvents?.(tx);
  return writeEvents(tx, actor, origin);
}

/**
 * Sends events that are complete, with the rows derived from them.
 *
 * It waits only for what the events need. The counters of logs are locked from here until the
 * commit: those of workspaces in the order of ids, then those of users. Returns the last event in
 * the log of the transaction's workspace, or else in another log. Personal events reach only the
 * members that they name.
 */
export async function writeEvents(
  tx: UnitOfWork,
  actor: StoredActor,
  origin: Origin | null,
): Promise<LastEvent | undefined> {
  const writes = writesOf(tx);
  const isSingle = writes.length === 1;
  const derived: Promise<UserEventRow[]>[] = [];
  let last: LastEvent | undefined;
  for (const [nth, { workspaceId, events }] of writes.entries()) {
    // Other calls run meanwhile.
    if (nth > 0) await setImmediate();
    await tx.completeLater?.(events);
    const publicIds = events.map(() => publicId());
    const isContinued = tx.changes.some((change) => change.workspaceId === workspaceId);
    const write = { workspaceId, actor, now: tx.now, events, isContinued, publicIds };
    const inserted = insertEvents(tx, write, origin ?? service, isSingle);
    derived.push(inserted.then(({ userEvents }) => userEvents));
    // The data is sent and not needed again: many events would fill the memory.
    if (tx.completeLater !== undefined) for (const event of events) event.data = {};
    const position = inserted.then(positionAfter);
    for (const promise of [position, ...derived]) promise.catch(() => undefined);
    const lastShared = events.findLastIndex(({ type }) => !isPersonal(type));
    const isOwn = workspaceId === tx.workspaceId;
    if (lastShared >= 0 && (isOwn || last === undefined || last.workspaceId !== tx.workspaceId)) {
      last = { workspaceId, ...nthOf(publicIds, lastShared, position) };
    }
  }
  if (!isSingle) insertUserEvents(tx, [...(await Promise.all(derived)).flat(), ...emittedBy(tx)]);
  return last;
}

/** The statements that write the events of a transaction, in the order of workspaces. */
function writesOf({ pendingEvents, workspaceId: defaultWorkspaceId }: UnitOfWork) {
  const byWorkspace = groupBy(pendingEvents, ({ workspaceId = defaultWorkspaceId }) => {
    if (workspaceId === undefined) throw new Error("An event needs a workspace.");
    return workspaceId;
  });
  const inOrder = [...byWorkspace].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.flatMap(([workspaceId, events]) =>
    Array.from({ length: Math.ceil(events.length / batch) }, (_, nth) => ({
      workspaceId,
      events: events.slice(nth * batch, (nth + 1) * batch),
    })),
  );
}

/** One of the events of a statement; `end` is the position after the last one. */
function nthOf(publicIds: readonly string[], nth: number, end: Promise<LogPosition>) {
  const event = { publicId: publicIds[nth] ?? "" };
  const after = BigInt(publicIds.length - 1 - nth);
  const position = end.then((last) => ({ ...last, ...event, number: last.number - after }));
  position.catch(() => undefined);
  return { ...event, position };
}

/** The events of users that the operation itself has emitted. */
const emittedBy = ({ pendingUserEvents }: UnitOfWork): UserEventRow[] =>
  pendingUserEvents.map(({ userId, ...event }) => ({ userId: String(userId), ...event }));

/**
 * Sends the statement that writes events.
 *
 * With `isSingle` it writes the events of users too. Several statements return these instead: all
 * counters of users are locked at the end, in one order. What fails before it is sent is thrown at
 * once: the transaction would commit without its events.
 */
function insertEvents(
  tx: UnitOfWork,
  write: EventWrite,
  origin: Origin,
  isSingle: boolean,
): Promise<LogPosition & { userEvents: UserEventRow[] }> {
  const { workspaceId, events } = write;
  const derived = tx.consumers.flatMap((consumer) => consumer(write) ?? []);
  const work = derived.flatMap(({ isWork }) => isWork ?? []);
  const emitted = isSingle ? emittedBy(tx) : [];
  const sources = derived.flatMap(({ userEvents }) => userEvents ?? []);
  if (emitted.length > 0) sources.push(userEventsIn(emitted));
  const userEvents = sql.join(sources, sql` UNION ALL `);
  const appended = isSingle && sources.length > 0;
  const storedSizes = [
    ...derived.flatMap((rows) => rows.stored),
    ...(appended ? [storedIn(sql`appended`)] : []),
  ];
  const ctes = [recordedEvents(write, origin), ...derived.map((rows) => rows.ctes)];
  if (appended) ctes.push(appendUserEvents(userEvents, tx.now));
  const userIds = appended ? sql`ARRAY(SELECT "userId"::text FROM appended)` : sql`'{}'::text[]`;
  const isLater = !isSingle && sources.length > 0;
  const later = isLater ? userEventList(userEvents) : sql`'[]'::jsonb`;
  const inserted = tx.query<Recorded>(sql`
    WITH ${sql.join(ctes, sql`, `)}
    SELECT number, "publicId", "createdAt",
      ${sql.join([sql`false`, ...work], sql` OR `)} AS "hasWork",
      ${userIds} AS "userIds", ${later} AS "userEvents",
      ${sql.join([sql`0`, ...storedSizes], sql` + `)}::bigint AS stored
    FROM recorded ORDER BY number DESC LIMIT 1`);
  const counted = inserted.then(([last]) => {
    if (last === undefined) throw new Error("The insert returned no event.");
    tx.written.bytes += events.length * rowBytes + Number(last.stored);
    return last;
  });
  tx.recordChange(workspaceId, counted.then(workOf));
  return counted;
}
