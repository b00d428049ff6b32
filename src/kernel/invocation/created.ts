import { idFieldOf, ruleOf, type Rule } from "../../contract/policy.ts";
import { isWorkspaceSlug } from "../../contract/vocabulary/texts.ts";
import { viewPermissions, type ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { Failure } from "../../platform/errors.ts";
import { authorizeBy, type AuthorizationContext, type Authorized } from "../access/authorize.ts";
import type { Caller } from "../access/callers.ts";
import type { NamedCall } from "./types.ts";

/** Which call of which caller chose a public id. */
export type ClientIdRecord = { operation: string; target: string; scope: string };

/** The public id that a client chose for a new resource. */
export const clientIdIn = ({ publicId }: NamedCall["input"]): string | undefined =>
  typeof publicId === "string" ? publicId : undefined;

/** The record of a public id that a call writes, or has written before. */
export function recordOf(
  { name, input }: NamedCall,
  { userId, key }: Caller,
  resources: Authorized["resources"] = {},
): ClientIdRecord {
  const rule: Rule = ruleOf(name);
  const targetId = "needs" in rule ? input[idFieldOf(rule)] : undefined;
  // The same create names its workspace by the id or by the slug.
  const isSlug =
    typeof targetId === "string" &&
    "needs" in rule &&
    rule.on === "workspace" &&
    isWorkspaceSlug(targetId);
  const id = isSlug ? resources["workspace"]?.["publicId"] : targetId;
  const scope = key === null ? `user:${userId}` : `key:${key.id}`;
  return { operation: name, target: typeof id === "string" ? id : "", scope };
}

/** Whether two calls are the same create of the same caller. */
export const isSameCreate = (one: ClientIdRecord, other: ClientIdRecord): boolean =>
  one.operation === other.operation && one.target === other.target && one.scope === other.scope;

/** Reads the record of a public id. */
export async function readRecord(query: Query, publicId: string) {
  const [record] = await query<ClientIdRecord & { goneAt: Date | null }>(
    sql`SELECT operation, target, scope, "goneAt" FROM client_ids WHERE "publicId" = ${publicId}`,
  );
  return record;
}

/** Authorizes a caller to see what an operation has created, where it is now. */
export const authorizeCreated = (
  query: Query,
  ctx: AuthorizationContext,
  kind: ResourceKind,
  { publicId, writes }: { publicId: string; writes: boolean },
): Promise<Authorized> =>
  authorizeBy(
    query,
    ctx,
    { on: kind, needs: viewPermissions[kind] },
    { input: { [`${kind}PublicId`]: publicId }, writes, lock: false },
  );

/**
 * Finds what a repeated create made the first time, if its target was deleted since.
 *
 * A card that has moved outlives the list that it was created in. Undefined where the caller may
 * not see it: then the answer is that of the missing target.
 */
export async function findCreated(
  query: Query,
  ctx: AuthorizationContext,
  call: NamedCall,
): Promise<Authorized | undefined> {
  const rule = ruleOf(call.name);
  const publicId = clientIdIn(call.input);
  if (!("creates" in rule) || publicId === undefined) return undefined;
  try {
    const created = await authorizeCreated(query, ctx, rule.creates, { publicId, writes: true });
    const record = await readRecord(query, publicId);
    if (record === undefined || created.caller === null) return undefined;
    return isSameCreate(record, recordOf(call, created.caller)) ? created : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
