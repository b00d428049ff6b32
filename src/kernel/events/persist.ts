import { setImmediate } from "node:timers/promises";
import { publicId } from "../../platform/db/public-id.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { rowBytes } from "../../platform/db/written.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import type { PendingEvent } from "./pending-event.ts";
import type { StoredActor } from "./actor.ts";
import type { EventWrite } from "./consumers.ts";
import { positionAfter, type LogPosition, type Position } from "./cursor.ts";
import { catalog, isPersonal } from "../../contract/events.ts";
import { truncateEvent } from "./truncate.ts";

/** The request behind a write, for the audit log. */
export type RequestMetadata = { ip: string; requestId: string };

type Origin = { [Name in keyof RequestMetadata]: RequestMetadata[Name] | null } & {
  /** The `Idempotency-Key` of the call. */
  mutationId?: string | undefined;
};

/** The last event that a transaction wrote to a workspace's log, except personal events. */
export type LastEvent = {
  publicId: string;
  workspaceId: bigint;
  /** Its position, when the database has answered. */
  position: Promise<LogPosition>;
};

type Recorded = LogPosition & { hasWork: boolean; userIds: string[]; stored: bigint };

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
 * It waits only for what the events need. Returns the last event in the log of the transaction's
 * workspace, or else in another log. Personal events reach only the members that they name.
 */
export async function writeEvents(
  tx: UnitOfWork,
  actor: StoredActor,
  origin: Origin | null,
): Promise<LastEvent | undefined> {
  const byWorkspace = new Map<bigint, PendingEvent[]>();
  for (const event of tx.pendingEvents) {
    const workspaceId = event.workspaceId ?? tx.workspaceId;
    if (workspaceId === undefined) throw new Error("An event needs a workspace.");
    const events = byWorkspace.get(workspaceId) ?? [];
    byWorkspace.set(workspaceId, events);
    events.push(event);
  }
  let last: LastEvent | undefined;
  for (const [workspaceId, events] of byWorkspace) {
    const isNamed = last !== undefined && last.workspaceId === tx.workspaceId;
    for (let start = 0; start < events.length; start += batch) {
      // Other calls run meanwhile.
      if (start > 0) await setImmediate();
      const after = await tx.logEnds.get(workspaceId);
      const some = events.slice(start, start + batch);
      await tx.completeLater?.(some);
      const isContinued = after !== undefined;
      const write = { workspaceId, actor, now: tx.now, events: some, isContinued };
      const publicIds = some.map(() => publicId());
      const written = insertEvents(tx, { ...write, publicIds }, after, origin ?? service);
      tx.noteChange(
        workspaceId,
        written.then(({ hasWork, userIds }) => ({ hasWork, userIds: userIds.map(BigInt) })),
      );
      // What was sent is not needed again: many events would fill the memory.
      if (tx.completeLater !== undefined) for (const event of some) event.data = {};
      const position = written.then(positionAfter);
      position.catch(() => undefined);
      tx.logEnds.set(workspaceId, position);
      const nth = some.findLastIndex(({ type }) => !isPersonal(type));
      if (!isNamed && nth >= 0) {
        last = { workspaceId, ...nthOf(publicIds, nth, position) };
      }
    }
  }
  return last;
}

/** One of the events of a statement: their ids are contiguous, and `end` is after the last one. */
function nthOf(publicIds: readonly string[], nth: number, end: Promise<LogPosition>) {
  const named = { publicId: publicIds[nth] ?? "" };
  const after = BigInt(publicIds.length - 1 - nth);
  const position = end.then((last) => ({ ...last, ...named, id: last.id - after }));
  position.catch(() => undefined);
  return { ...named, position };
}

/**
 * SQL: the number and the first id of events.
 *
 * Later events of a transaction continue the ids of its first ones: the sequence reserves a million
 * ids at a time. So they are contiguous among the events that have their number.
 */
const startAfter = (last: Position | undefined): Sql =>
  last === undefined
    ? sql`SELECT feed_position() AS number, nextval('events_id_seq') AS id`
    : sql`SELECT ${last.transactionId}::bigint AS number, ${last.id + 1n}::bigint AS id`;

/**
 * Sends the statement that writes events.
 *
 * What fails before it is sent is thrown at once: the transaction would commit without its events.
 */
function insertEvents(
  tx: UnitOfWork,
  write: EventWrite,
  after: Position | undefined,
  { ip, requestId, mutationId }: Origin,
): Promise<Recorded> {
  const { workspaceId, actor, events, publicIds } = write;
  const rows = events.map((event, nth) => ({
    publicId: publicIds[nth],
    ...row(event),
    mutationId,
  }));
  const derived = tx.consumers.flatMap((consumer) => consumer(write) ?? []);
  const work = derived.flatMap(({ isWork }) => isWork ?? []);
  const users = derived.flatMap(({ userIds }) => userIds ?? []);
  const stored = derived.flatMap((one) => one.stored);
  const recorded = sql`start AS MATERIALIZED (${startAfter(after)}), recorded AS (
    INSERT INTO events
      (id, "transactionId", "publicId", "workspaceId", "boardPublicId", "cardPublicId", type,
      "isActivity", "actorType", "actorUserId", "actorPublicId", "actorName", credential, ip,
      "requestId", "mutationId", data, changes, "createdAt")
    SELECT start.id + e.nth - 1, start.number, e."publicId", ${workspaceId}::bigint,
      e."boardPublicId", e."cardPublicId", e.type, e."isActivity",
      ${actor.type}::"ActorType", ${actor.userId}::bigint, ${actor.publicId}, ${actor.name},
      ${actor.credential}, ${ip}, ${requestId}, e."mutationId", e.data, e.changes,
      ${tx.now}::timestamptz
    FROM start, ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS
      ("publicId" text, "boardPublicId" text, "cardPublicId" text, type text,
      "isActivity" boolean, "mutationId" text, data jsonb, changes jsonb)) WITH ORDINALITY
      AS e("publicId", "boardPublicId", "cardPublicId", type, "isActivity", "mutationId", data,
      changes, nth)
    RETURNING id, "publicId", type, "boardPublicId", data, "transactionId", "createdAt")`;
  const written = tx.query<Recorded>(sql`
    WITH ${sql.join([recorded, ...derived.map(({ ctes }) => ctes)], sql`, `)}
    SELECT id, "publicId", "transactionId", "createdAt",
      ${sql.join([sql`false`, ...work], sql` OR `)} AS "hasWork",
      ${users.length === 0 ? sql`'{}'` : sql`ARRAY(${sql.join(users, sql` UNION `)})`}::text[]
        AS "userIds", ${sql.join([sql`0`, ...stored], sql` + `)}::bigint AS stored
    FROM recorded ORDER BY id DESC LIMIT 1`);
  return written.then(([last]) => {
    if (last === undefined) throw new Error("The insert returned no event.");
    tx.written.bytes += events.length * rowBytes + Number(last.stored);
    return last;
  });
}

function row({ type, data, changes, isActivity }: PendingEvent) {
  const small = truncateEvent({ data, changes: changes ?? null });
  return {
    boardPublicId: idOf(data["board"]),
    cardPublicId: idOf(data["card"]),
    type,
    isActivity: isActivity ?? catalog[type].isActivity,
    ...small,
  };
}

function idOf(value: unknown) {
  return typeof value === "object" && value !== null && "publicId" in value ? value.publicId : null;
}
