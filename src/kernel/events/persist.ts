import { setImmediate } from "node:timers/promises";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import type { PendingEvent } from "./pending-event.ts";
import type { Actor } from "./actor.ts";
import type { EventWrite } from "./consumers.ts";
import { positionAfter, type LogPosition } from "./cursor.ts";
import { catalog } from "../../contract/events.ts";
import { truncateEvent } from "./truncate.ts";

/** The request behind a write, for the audit log. */
export type RequestMetadata = { ip: string; requestId: string };

type Origin = { [Name in keyof RequestMetadata]: RequestMetadata[Name] | null } & {
  /** The `Idempotency-Key` of the call. */
  mutationId?: string | undefined;
};

/** The last event that a transaction wrote to a workspace's log. */
export type LastEvent = {
  publicId: string;
  workspaceId: bigint;
  /** Its position, when the database has answered. */
  position: Promise<LogPosition>;
};

type Written = LogPosition & { hasWork: boolean };

/** How many events one statement writes. */
const batch = 1_000;

const service: Origin = { ip: null, requestId: null };

/**
 * Sends the pending events of a transaction as its last step, with the rows derived from them.
 *
 * It waits only for what the events need. Returns the last event in the log of the transaction's
 * workspace, or else in another log.
 */
export async function persistEvents(
  tx: UnitOfWork,
  actor: Actor,
  origin: Origin | null,
): Promise<LastEvent | undefined> {
  await tx.completeEvents?.(tx);
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
    const isOfTransaction = last?.workspaceId === tx.workspaceId;
    for (let start = 0; start < events.length; start += batch) {
      // Other calls run meanwhile.
      if (start > 0) await setImmediate();
      if (start > 0) await last?.position;
      const some = events.slice(start, start + batch);
      const write = { workspaceId, actor, now: tx.now, events: some, isContinued: start > 0 };
      const publicIds = some.map(() => publicId());
      const written = insertEvents(tx, { ...write, publicIds }, origin ?? service);
      tx.noteChange(
        workspaceId,
        written.then(({ hasWork }) => hasWork),
      );
      const position = written.then(positionAfter);
      position.catch(() => undefined);
      if (!isOfTransaction) {
        last = { workspaceId, publicId: publicIds.at(-1) ?? "", position };
      }
    }
  }
  return last;
}

async function insertEvents(
  tx: UnitOfWork,
  write: EventWrite,
  { ip, requestId, mutationId }: Origin,
): Promise<Written> {
  const { workspaceId, actor, events, publicIds } = write;
  const rows = events.map((event, nth) => ({
    publicId: publicIds[nth],
    ...row(event),
    mutationId,
  }));
  const derived = tx.consumers.flatMap((consumer) => consumer(write) ?? []);
  const work = derived.flatMap(({ isWork }) => isWork ?? []);
  const recorded = sql`recorded AS (
    INSERT INTO events
      ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity",
      "actorType", "actorUserId", "actorPublicId", "actorName", credential, ip, "requestId",
      "mutationId", data, changes, "createdAt")
    SELECT e."publicId", ${workspaceId}::bigint, e."boardPublicId", e."cardPublicId", e.type,
      e."isActivity", ${actor.type}::"ActorType", ${actor.userId}::bigint, ${actor.publicId},
      ${actor.name}, ${actor.credential}, ${ip}, ${requestId}, e."mutationId", e.data, e.changes,
      ${tx.now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e("publicId" text,
      "boardPublicId" text, "cardPublicId" text, type text, "isActivity" boolean,
      "mutationId" text, data jsonb, changes jsonb)
    RETURNING id, "publicId", type, "boardPublicId", data, "transactionId", "createdAt")`;
  // The statement does not see its own events: the first ones of the transaction are older ones.
  const [last] = await tx.query<Written>(sql`
    WITH ${sql.join([recorded, ...derived.map(({ ctes }) => ctes)], sql`, `)}
    SELECT id, "publicId", "transactionId", "createdAt", id - coalesce(
      (SELECT min(e.id) FROM events e WHERE e."workspaceId" = ${workspaceId}
        AND e."transactionId" = recorded."transactionId"),
      (SELECT min(id) FROM recorded)) AS nth,
      ${sql.join([sql`false`, ...work], sql` OR `)} AS "hasWork"
    FROM recorded ORDER BY id DESC LIMIT 1`);
  if (last === undefined) throw new Error("The insert returned no event.");
  return last;
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
