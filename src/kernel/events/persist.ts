import { publicId } from "../../platform/db/public-id.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import type { PendingEvent } from "./pending-event.ts";
import type { Actor } from "./actor.ts";
import type { EventConsumer } from "./consumers.ts";
import type { Position } from "./cursor.ts";
import { catalog } from "../../contract/events.ts";
import { truncateEvent } from "./truncate.ts";

/** The request behind a write, for the audit log. */
export type RequestMetadata = { ip: string; requestId: string };

type Origin = { [Name in keyof RequestMetadata]: RequestMetadata[Name] | null } & {
  /** The `Idempotency-Key` of the call. */
  mutationId?: string | undefined;
};

/** The last event that a transaction wrote to a workspace's log. */
export type LastEvent = Position & { publicId: string; workspaceId: bigint };

const service: Origin = { ip: null, requestId: null };

const insert = `INSERT INTO events
    ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity",
    "actorType", "actorUserId", "actorPublicId", "actorName", credential, ip, "requestId",
    "mutationId", data, changes, "createdAt")
  SELECT e."publicId", $2::bigint, e."boardPublicId", e."cardPublicId", e.type, e."isActivity",
    $3::"ActorType", $4::bigint, $5, $6, $7, $8, $9, e."mutationId", e.data, e.changes,
    $10::timestamptz
  FROM jsonb_to_recordset($1::jsonb) AS e("publicId" text, "boardPublicId" text,
    "cardPublicId" text, type text, "isActivity" boolean, "mutationId" text, data jsonb,
    changes jsonb)`;

const statements = new Map<string, string>();

/** The statement that writes events and the rows that some consumers derive from them. */
function statementFor(consumers: readonly Active[]): string {
  const ctes = consumers.map(({ consumer, parameter }) => consumer.ctes(parameter));
  const key = ctes.join(",");
  const known = statements.get(key);
  if (known !== undefined) return known;
  const recorded = `recorded AS (${insert}
    RETURNING id, "publicId", type, "boardPublicId", data, "transactionId")`;
  const statement = `WITH ${[recorded, ...ctes].join(", ")}
    SELECT id, "publicId", "transactionId" FROM recorded ORDER BY id DESC LIMIT 1`;
  statements.set(key, statement);
  return statement;
}

type Active = { consumer: EventConsumer; parameter: string };

/**
 * Writes the pending events of a transaction as its last step, with the rows derived from them.
 *
 * Answers the last event in the log of the transaction's workspace, or else in another log.
 */
export async function persistEvents(
  tx: UnitOfWork,
  actor: Actor,
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
    tx.changedWorkspaces.add(workspaceId);
    const written = await insertEvents(tx, workspaceId, events, actor, origin ?? service);
    if (last?.workspaceId !== tx.workspaceId) last = { workspaceId, ...written };
  }
  return last;
}

async function insertEvents(
  tx: UnitOfWork,
  workspaceId: bigint,
  events: PendingEvent[],
  actor: Actor,
  { ip, requestId, mutationId }: Origin,
): Promise<Position & { publicId: string }> {
  const rows = events.map((event) => ({ ...row(event), mutationId }));
  const ids = rows.map((event) => event.publicId);
  const { type, userId, publicId: actorId, name, credential } = actor;

  const values: unknown[] = [
    JSON.stringify(rows),
    workspaceId,
    type,
    userId,
    actorId,
    name,
    credential,
    ip,
    requestId,
    tx.now,
  ];
  const active: Active[] = [];
  for (const consumer of tx.consumers) {
    const input = consumer.inputOf?.(events, ids, actor);
    if (input?.length === 0) continue;
    if (input !== undefined) values.push(JSON.stringify(input));
    active.push({ consumer, parameter: `$${values.length}` });
  }
  const [last] = await tx.query<Position & { publicId: string }>(statementFor(active), values);
  if (last === undefined) throw new Error("The insert returned no event.");
  return last;
}

function row({ type, data, changes, isActivity }: PendingEvent) {
  const small = truncateEvent({ data, changes: changes ?? null });
  return {
    publicId: publicId(),
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
