import { ruleOf } from "../../contract/policy.ts";
import { resourceKinds, type ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { publicId as newPublicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, Failure, failure } from "../../platform/errors.ts";
import type { Authorized } from "../access/authorize.ts";
import { tableOf } from "../access/resources.ts";
import type { NamedCall } from "../invocation/types.ts";
import type { Context } from "../request/context.ts";
import {
  authorizeCreated,
  recordOf,
  clientIdIn,
  isSameCreate,
  readRecord,
  type ClientIdRecord,
} from "../invocation/created.ts";

/** The public id of a new resource; or the resource that an earlier call created with this id. */
export type NewId = {
  publicId: string;
  existing: Authorized["resources"] | null;
  /** The version of the existing resource. */
  version?: number | undefined;
};

/** For operations that create no resource: their handlers get no id. */
const noNewId: NewId = { publicId: "", existing: null };

/** Claims the id of a new resource: a random one, or the client's, if no other call has it. */
export async function claimId(
  query: Query,
  ctx: Context,
  call: NamedCall,
  { caller, resources }: Pick<Authorized, "caller" | "resources">,
): Promise<NewId> {
  const rule = ruleOf(call.name);
  if (!("creates" in rule)) return noNewId;
  const publicId = clientIdIn(call.input);
  if (publicId === undefined || caller === null) {
    return { publicId: newPublicId(), existing: null };
  }
  const requested = recordOf(call, caller, resources);
  if (await insertRecord(query, publicId, requested, ctx.deps.clock())) {
    if (await isTaken(query, publicId)) throw idTaken();
    return { publicId, existing: null };
  }
  const record = await readRecord(query, publicId);
  if (record === undefined || record.goneAt !== null || !isSameCreate(record, requested))
    throw idTaken();
  const existing = await findExisting(query, ctx, rule.creates, publicId);
  const version = existing?.[rule.creates]?.["version"];
  return { publicId, existing, version: typeof version === "number" ? version : undefined };
}

async function insertRecord(query: Query, publicId: string, record: ClientIdRecord, now: Date) {
  const { operation, target, scope } = record;
  const rows = await query(sql`INSERT INTO client_ids
      ("publicId", operation, target, scope, "createdAt")
    VALUES (${publicId}, ${operation}, ${target}, ${scope}, ${now}::timestamptz)
    ON CONFLICT ("publicId") DO NOTHING RETURNING id`);
  return rows.length > 0;
}

/** SQL: whether any resource has a public id. */
export const hasResource = (publicId: ReturnType<typeof sql>) => {
  const rows = resourceKinds.map(
    (kind) =>
      sql`EXISTS (SELECT 1 FROM ${sql.identifier(tableOf(kind).table)} r
        WHERE r."publicId" = ${publicId})`,
  );
  return sql`(${sql.join(rows, sql` OR `)})`;
};

// Events outlive what they describe: a new card must not continue the history of a purged one.
async function isTaken(query: Query, publicId: string): Promise<boolean> {
  const [row] = await query<{ taken: boolean }>(sql`SELECT ${hasResource(sql`${publicId}`)}
    OR EXISTS (SELECT 1 FROM events WHERE "cardPublicId" = ${publicId})
    OR EXISTS (SELECT 1 FROM events WHERE "boardPublicId" = ${publicId}) AS taken`);
  return row?.taken ?? false;
}

/** Finds what an earlier call created, as the caller may see it now; null when it failed. */
async function findExisting(query: Query, ctx: Context, kind: ResourceKind, publicId: string) {
  try {
    const created = await authorizeCreated(query, ctx, kind, { publicId, writes: false });
    return created.resources;
  } catch (error) {
    if (!(error instanceof Failure) || error.failure !== "NOT_FOUND") throw error;
    const [row] = await query<{ exists: boolean }>(
      sql`SELECT ${hasResource(sql`${publicId}`)} AS exists`,
    );
    if (row?.exists !== true) return null;
    const message = "The resource with this publicId was deleted.";
    throw failure("deleted", message, { path: ["publicId"] });
  }
}

const idTaken = () =>
  conflict("id_taken", "The publicId is taken. Make another one.", ["publicId"]);
