import { ruleOf } from "../../contract/policy.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { publicId as newPublicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, Failure, failure } from "../../platform/errors.ts";
import { authorizeBy, type Authorized } from "../access/authorize.ts";
import type { Caller } from "../access/callers.ts";
import { tableOf } from "../access/resources.ts";
import type { Context } from "../request/context.ts";
import type { CallRequest } from "./authorize-call.ts";

/** The public id of a new resource; or the resource that an earlier call created with this id. */
export type NewId = { publicId: string; existing: Authorized["resources"] | null };

/** The permission to view each kind that operations create. */
const views: { readonly [Kind in ResourceKind]?: Permission } = {
  workspace: "workspace:view",
  board: "board:view",
  list: "list:view",
  card: "card:view",
  label: "board:view",
  checklist: "card:view",
  checklistItem: "card:view",
  attachment: "card:view",
  comment: "comment:view",
  role: "member:view",
  webhook: "workspace:manage",
};

/** For operations that create no resource: their handlers get no id. */
const noNewId: NewId = { publicId: "", existing: null };

type Claim = { operation: string; target: string; scope: string; goneAt: Date | null };

/** The id for what a call creates: a new one, or the client's, if no other call has it. */
export async function claimId(
  query: Query,
  ctx: Context,
  { name, input }: Pick<CallRequest, "name" | "input">,
  { caller, resources }: Authorized,
): Promise<NewId> {
  const rule = ruleOf(name);
  if (!("creates" in rule)) return noNewId;
  const publicId = givenId(input);
  if (publicId === undefined || caller === null) {
    return { publicId: newPublicId(), existing: null };
  }
  const targetId = resources[rule.on]?.["publicId"];
  const target = typeof targetId === "string" ? targetId : "";
  const requested: Claim = { operation: name, target, scope: scopeOf(caller), goneAt: null };
  if (await insertClaim(query, publicId, requested, ctx.deps.clock())) {
    if (await isTaken(query, publicId)) throw taken();
    return { publicId, existing: null };
  }
  const [claim] = await query<Claim>(sql`SELECT operation, target, scope, "goneAt"
    FROM client_ids WHERE "publicId" = ${publicId}`);
  const isSame =
    claim?.operation === name && claim.target === target && claim.scope === requested.scope;
  if (!isSame || claim.goneAt !== null) throw taken();
  return { publicId, existing: await findExisting(query, ctx, rule.creates, publicId) };
}

const givenId = (input: unknown) => {
  const given =
    typeof input === "object" && input !== null && "publicId" in input ? input.publicId : undefined;
  return typeof given === "string" ? given : undefined;
};

const scopeOf = ({ userId, key }: Caller) => (key === null ? `user:${userId}` : `key:${key.id}`);

async function insertClaim(query: Query, publicId: string, claim: Claim, now: Date) {
  const { operation, target, scope } = claim;
  const rows = await query(sql`INSERT INTO client_ids
      ("publicId", operation, target, scope, "createdAt")
    VALUES (${publicId}, ${operation}, ${target}, ${scope}, ${now}::timestamptz)
    ON CONFLICT ("publicId") DO NOTHING RETURNING id`);
  return rows.length > 0;
}

/** SQL: whether a resource that a client can name has a public id. */
export const hasResource = (publicId: ReturnType<typeof sql>) => {
  const kinds = Object.keys(views).filter((kind): kind is ResourceKind => kind in views);
  const rows = kinds.map(
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
  const rule = { on: kind, needs: views[kind] ?? "member" } as const;
  const request = { input: { [`${kind}PublicId`]: publicId }, writes: false, lock: false };
  try {
    return (await authorizeBy(query, ctx, rule, request)).resources;
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

const taken = () => conflict("id_taken", "The publicId is taken. Make another one.", ["publicId"]);
