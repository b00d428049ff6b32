import type { Caller } from "../access/locate.ts";
import { publicId } from "../db/public-id.ts";
import type { Announcement, Work } from "../db/work.ts";
import { catalog } from "./catalog.ts";
import { cut } from "./cut.ts";

/** Where a write came from, as the audit keeps it. */
export type Origin = { ip: string; requestId: string };

const insert = `INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity",
    "actorType", "actorUserId", "actorPublicId", "actorName", credential, ip, "requestId", data, changes, "createdAt")
  SELECT e."publicId", $2::bigint, e."boardPublicId", e."cardPublicId", e.type, e."isActivity",
    $3::"ActorType", $4::bigint, $5, $6, $7, $8, $9, e.data, e.changes, $10::timestamptz
  FROM jsonb_to_recordset($1::jsonb) AS e("publicId" text, "boardPublicId" text, "cardPublicId" text, type text,
    "isActivity" boolean, data jsonb, changes jsonb)`;

/** Writes what a transaction has announced, in order, as its last step. */
export async function record(work: Work, caller: Caller | null, origin: Origin): Promise<void> {
  if (work.announced.length === 0) return;
  if (work.workspaceId === undefined) throw new Error("An event needs a workspace.");
  const actor =
    caller === null
      ? { type: "system", publicId: null, name: "system", credential: null }
      : caller.key === null
        ? { type: "user", publicId: caller.publicId, name: caller.name, credential: "session" }
        : {
            type: "apiKey",
            publicId: caller.key.publicId,
            name: caller.key.name,
            credential: "apiKey",
          };
  await work.query(insert, [
    JSON.stringify(work.announced.map(row)),
    work.workspaceId,
    actor.type,
    caller?.userId ?? null,
    actor.publicId,
    actor.name,
    actor.credential,
    origin.ip,
    origin.requestId,
    work.now,
  ]);
}

function row({ type, data, changes }: Announcement) {
  const small = cut({ data, changes: changes ?? null });
  return {
    publicId: publicId(),
    boardPublicId: idOf(data["board"]),
    cardPublicId: idOf(data["card"]),
    type,
    isActivity: catalog[type].isActivity,
    ...small,
  };
}

function idOf(thing: unknown) {
  return typeof thing === "object" && thing !== null && "publicId" in thing ? thing.publicId : null;
}
