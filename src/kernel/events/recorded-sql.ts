import { catalog } from "../../contract/events.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { EventWrite } from "./consumers.ts";
import { nextNumbers } from "./log-sql.ts";
import type { PendingEvent } from "./pending-event.ts";
import { storedData } from "./stored-data.ts";
import { truncateEvent } from "./truncate.ts";

/** The request behind a write, for the audit log. */
export type RequestMetadata = { ip: string; requestId: string };

/** Where the events of a transaction come from. */
export type Origin = { [Name in keyof RequestMetadata]: RequestMetadata[Name] | null } & {
  /** The `Idempotency-Key` of the call. */
  mutationId?: string | undefined;
};

/** SQL: writes events with the next numbers of a log, as the tables `counter` and `recorded`. */
export function recordedEvents(
  { workspaceId, actor, events, publicIds, now }: EventWrite,
  { ip, requestId, mutationId }: Origin,
): Sql {
  const rows = events.map((event, nth) => ({
    publicId: publicIds[nth],
    ...row(event),
    mutationId,
  }));
  const count = sql`VALUES (${workspaceId}::bigint, ${BigInt(events.length)}::bigint)`;
  return sql`counter AS (${nextNumbers("workspace", count)}), recorded AS (
    INSERT INTO events
      (number, "publicId", "workspaceId", "boardPublicId", "cardPublicId", type,
      "isActivity", "actorType", "actorUserId", "actorPublicId", "actorName", credential, ip,
      "requestId", "mutationId", data, changes, "createdAt")
    SELECT counter.last - ${BigInt(events.length)}::bigint + e.nth, e."publicId",
      ${workspaceId}::bigint, e."boardPublicId", e."cardPublicId", e.type, e."isActivity",
      ${actor.type}::"ActorType", ${actor.userId}::bigint, ${actor.publicId}, ${actor.name},
      ${actor.credential}, ${ip}, ${requestId}, e."mutationId", e.data, e.changes,
      ${now}::timestamptz
    FROM counter, ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS
      ("publicId" text, "boardPublicId" text, "cardPublicId" text, type text,
      "isActivity" boolean, "mutationId" text, data jsonb, changes jsonb)) WITH ORDINALITY
      AS e("publicId", "boardPublicId", "cardPublicId", type, "isActivity", "mutationId", data,
      changes, nth)
    ORDER BY e.nth
    RETURNING id, number, "publicId", type, "boardPublicId", data, "createdAt")`;
}

function row({ type, data, changes, isActivity }: PendingEvent) {
  const small = truncateEvent({ data, changes: changes ?? null });
  return {
    boardPublicId: idOf(data["board"]),
    cardPublicId: idOf(data["card"]),
    type,
    isActivity: isActivity ?? catalog[type].isActivity,
    ...small,
    data: storedData(type, small.data),
  };
}

function idOf(value: unknown) {
  return typeof value === "object" && value !== null && "publicId" in value ? value.publicId : null;
}
