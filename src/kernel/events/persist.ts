import { setImmediate } from "node:timers/promises";
import { publicId } from "../../platform/db/public-id.ts";
import { firstRow } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { groupBy } from "../../platform/maps.ts";
import { rowBytes } from "../../platform/db/written.ts";
import type { CompletePart, UnitOfWork } from "./unit-of-work.ts";
import type { StoredActor } from "./actor.ts";
import type { EventWrite } from "./consumers.ts";
import { positionAfter, type LogPosition } from "./cursor.ts";
import { recordedEvents, type Origin } from "./recorded-sql.ts";
import { sendUserEvents, userEventList, type UserEventRow } from "./user-log.ts";
import { isPersonal } from "../../contract/events.ts";

/** The last event that a transaction wrote to a workspace's log, except personal events. */
export type LastEvent = {
  publicId: string;
  workspaceId: bigint;
  /** Its position, when the database has answered. */
  position: Promise<LogPosition>;
};

/** The result of a statement: its last event, and the events of users that are to be written. */
type Recorded = LogPosition & { hasWork: boolean; userEvents: UserEventRow[]; stored: bigint };

/** How many events one statement writes. */
const batch = 1_000;

const service: Origin = { ip: null, requestId: null };

/** Completes and sends the pending events of a transaction, as its last step. */
export const persistEvents = (
  tx: UnitOfWork,
  actor: StoredActor,
  origin: Origin | null,
): Promise<LastEvent | undefined> => writeEvents(tx, actor, origin, tx.completeEvents?.(tx));

/**
 * Sends events, a part at a time, with the rows derived from them. `complete` completes each part.
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
  complete?: CompletePart,
): Promise<LastEvent | undefined> {
  const derived: Promise<UserEventRow[]>[] = [];
  let last: LastEvent | undefined;
  for (const [nth, { workspaceId, events }] of writesOf(tx).entries()) {
    // Other calls run meanwhile.
    if (nth > 0) await setImmediate();
    await complete?.(events);
    tx.updateVersion(events);
    const publicIds = events.map(() => publicId());
    const isContinued = tx.changes.some((change) => change.workspaceId === workspaceId);
    const mayHaveWebhooks = workspaceId !== tx.withoutWebhooks;
    const write = {
      workspaceId,
      actor,
      now: tx.now,
      events,
      mayHaveWebhooks,
      isContinued,
      publicIds,
    };
    const { inserted, mayReachUsers } = insertEvents(tx, write, origin ?? service);
    if (mayReachUsers) derived.push(inserted.then(({ userEvents }) => userEvents));
    // The data is sent and not needed again: many events would fill the memory.
    for (const event of events) event.data = {};
    const position = inserted.then(positionAfter);
    for (const promise of [position, ...derived]) promise.catch(() => undefined);
    const lastShared = events.findLastIndex(({ type }) => !isPersonal(type));
    const isOwn = workspaceId === tx.workspaceId;
    if (lastShared >= 0 && (isOwn || last === undefined || last.workspaceId !== tx.workspaceId)) {
      last = { workspaceId, ...nthOf(publicIds, lastShared, position) };
    }
  }
  sendUserEvents(tx, [...(await Promise.all(derived)).flat(), ...emittedBy(tx)]);
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
 * Sends the statement that writes events of one workspace.
 *
 * It returns the derived events of users: their counters are locked at the end, in one order. What
 * fails before it is sent is thrown at once: the transaction would commit without its events.
 */
function insertEvents(tx: UnitOfWork, write: EventWrite, origin: Origin) {
  const { workspaceId, events } = write;
  const derived = tx.consumers.flatMap((consumer) => consumer(write) ?? []);
  const work = derived.flatMap(({ isWork }) => isWork ?? []);
  const sources = derived.flatMap(({ userEvents }) => userEvents ?? []);
  const ctes = [recordedEvents(write, origin), ...derived.map((rows) => rows.ctes)];
  const inserted = tx.query<Recorded>(sql`
    WITH ${sql.join(ctes, sql`, `)}
    SELECT last.*, ${sql.join([sql`false`, ...work], sql` OR `)} AS "hasWork",
      ${sources.length === 0 ? sql`'[]'::jsonb` : userEventList(sources)} AS "userEvents",
      ${sql.join([sql`0`, ...derived.flatMap(({ stored }) => stored)], sql` + `)}::bigint AS stored
    FROM (SELECT number, "publicId", "createdAt" FROM recorded ORDER BY number DESC LIMIT 1) last`);
  const counted = inserted.then((rows) => {
    const recorded = firstRow(rows);
    tx.written.bytes += events.length * rowBytes + Number(recorded.stored);
    return recorded;
  });
  tx.recordChange(
    workspaceId,
    counted.then(({ hasWork }) => ({ hasWork, userIds: [] })),
  );
  return { inserted: counted, mayReachUsers: sources.length > 0 };
}
