import { publicId } from "../../platform/db/public-id.ts";
import type { Announcement, Work } from "../unit-of-work.ts";
import { notify } from "../../outbound/notifications/fan-out.ts";
import { tellingsOf } from "../../outbound/notifications/rules.ts";
import { deliver } from "../../outbound/webhooks/fan-out.ts";
import type { Actor } from "./actor.ts";
import { catalog } from "../../contract/events.ts";
import { cut } from "./truncate.ts";

/** Where a write came from, as the audit keeps it. */
export type Origin = { ip: string; requestId: string };

/** What a write of the service itself came from: nobody's request. */
const nowhere = { ip: null, requestId: null };

const insert = `INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity",
    "actorType", "actorUserId", "actorPublicId", "actorName", credential, ip, "requestId", data, changes, "createdAt")
  SELECT e."publicId", $2::bigint, e."boardPublicId", e."cardPublicId", e.type, e."isActivity",
    $3::"ActorType", $4::bigint, $5, $6, $7, $8, $9, e.data, e.changes, $10::timestamptz
  FROM jsonb_to_recordset($1::jsonb) AS e("publicId" text, "boardPublicId" text, "cardPublicId" text, type text,
    "isActivity" boolean, data jsonb, changes jsonb)`;

const recorded = `WITH recorded AS (${insert} RETURNING id, "publicId", type, "boardPublicId", data)`;
const tellWebhooks = `${recorded} ${deliver}`;
const tellAll = `${recorded}, delivered AS (${deliver}), ${notify}`;

/** Writes what a transaction has announced, in order, as its last step: the events, and the deliveries and notifications that come of them. Nobody's request is `null`. */
export async function record(
  work: Work,
  actor: Actor,
  origin: { [Name in keyof Origin]: Origin[Name] | null } | null,
): Promise<void> {
  if (work.announced.length === 0) return;
  if (work.workspaceId === undefined) throw new Error("An event needs a workspace.");
  work.recordedIn.add(work.workspaceId);
  const rows = work.announced.map(row);
  const ids = rows.map((event) => event.publicId);
  const tellings = tellingsOf(work.announced, ids, actor);
  const { ip, requestId } = origin ?? nowhere;
  const values = [
    JSON.stringify(rows),
    work.workspaceId,
    actor.type,
    actor.userId,
    actor.publicId,
    actor.name,
    actor.credential,
    ip,
    requestId,
    work.now,
  ];
  if (tellings.length === 0) await work.query(tellWebhooks, values);
  else await work.query(tellAll, [...values, JSON.stringify(tellings)]);
}

function row({ type, data, changes, isActivity }: Announcement) {
  const small = cut({ data, changes: changes ?? null });
  return {
    publicId: publicId(),
    boardPublicId: idOf(data["board"]),
    cardPublicId: idOf(data["card"]),
    type,
    isActivity: isActivity ?? catalog[type].isActivity,
    ...small,
  };
}

function idOf(thing: unknown) {
  return typeof thing === "object" && thing !== null && "publicId" in thing ? thing.publicId : null;
}
