import { emitsToWorkspaces, ruleOf, type Operation, type Rule } from "../../contract/policy.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { authorize, type Authorized } from "../access/authorize.ts";
import { lockPath } from "../access/lock-path.ts";
import { tableOf } from "../access/resources.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import type { ReadDeps } from "../request/deps.ts";
import type { HandlerContext, NamedCall } from "./types.ts";
import { otherWorkspace } from "../events/transaction.ts";
import { Failure } from "../../platform/errors.ts";
import { findCreated } from "./created.ts";
import { checkPrecondition } from "./preconditions.ts";

/** How a call is authorized. */
export type CallRequest = NamedCall & {
  writes: boolean;
  lock: boolean;
  extra?: Sql | undefined;
};

/** Authorizes a call, records that its credential is valid, and counts the text that it writes. */
export async function authorizeCall(
  query: Query,
  ctx: Context,
  request: CallRequest,
): Promise<Authorized> {
  const authorized = await authorizeHere(query, ctx, request).catch(async (error: unknown) => {
    if (ctx.ifMatch !== undefined || !isElsewhere(error)) throw error;
    const created = await findCreated(query, ctx, request);
    if (created === undefined) throw error;
    return created;
  });
  recordAuthorized(ctx, authorized);
  if (request.writes && authorized.caller !== null) {
    const { userId } = authorized.caller;
    const { bytes } = ctx.uncounted;
    ctx.uncounted.bytes = 0;
    if (bytes > 0) await ctx.deps.limits.texts.spend(String(userId), bytes);
    if (!isOfAccount(request.name)) await ctx.deps.limits.checkStored(userId);
  }
  return authorized;
}

/**
 * Authorizes a call, possibly again after a wait: its target and caller may have changed.
 *
 * In a batch, the target is in the workspace of the batch.
 */
export async function authorizeHere(
  query: Query,
  ctx: Context,
  request: CallRequest,
): Promise<Authorized> {
  const workspaceId = ctx.joined?.workspaceId;
  const authorized = await authorize(query, ctx, { ...request, workspaceId });
  const targetWorkspaceId = authorized.resources["workspace"]?.["id"];
  if (
    workspaceId === undefined ||
    targetWorkspaceId === undefined ||
    targetWorkspaceId === workspaceId
  )
    return authorized;
  throw otherWorkspace();
}

/** Whether the target was deleted, or is in another workspace than its batch. */
const isElsewhere = (error: unknown) =>
  error instanceof Failure &&
  (error.failure === "NOT_FOUND" || error.issues.some(({ code }) => code === "other_workspace"));

/** Whether an operation writes only to the caller's account, such as a new password. */
function isOfAccount(name: Operation): boolean {
  const rule: Rule = ruleOf(name);
  return rule.on === "self" && (!emitsToWorkspaces(rule) || rule.keys === "none");
}

/** Records that a call's credential is valid, and which tenant its later calls count for. */
export function recordAuthorized(ctx: Context, { resources }: Authorized): void {
  ctx.authentication.credentialVerified = true;
  const { id: workspaceId, publicId } = resources["workspace"] ?? {};
  if (typeof publicId === "string") ctx.logged.workspace = publicId;
  if (typeof workspaceId === "bigint") ctx.deps.db.assignTenant(`workspace ${workspaceId}`);
}

/** The version of a call's target; undefined without one. */
export function versionOf({ resources }: Authorized, name: Operation): number | undefined {
  const version = resources[ruleOf(name).on]?.["version"];
  return typeof version === "number" ? version : undefined;
}

/** Prepares a transaction for a call: checks the target, sets version, workspace, locked rows. */
export function prepare(tx: UnitOfWork, ctx: Context, authorized: Authorized, name: Operation) {
  const version = versionOf(authorized, name);
  checkPrecondition(ctx.ifMatch, version);
  ctx.checkTarget?.(authorized.resources);
  tx.answered.target = version;
  if (authorized.caller !== null) tx.copied.countFor(authorized.caller.userId);
  const { id: workspaceId, hasWebhooks } = authorized.resources["workspace"] ?? {};
  if (typeof workspaceId === "bigint") {
    tx.workspaceId = workspaceId;
    tx.withoutWebhooks = hasWebhooks === false ? workspaceId : undefined;
  }
  if (authorized.isLocked !== true) return;
  tx.locked = authorized.resources;
  recordLocked(tx, authorized, ruleOf(name));
}

/** Authorizes a call by the statement after the one that claims its key, and prepares `tx`. */
export async function authorizeClaimed(
  tx: UnitOfWork,
  ctx: Context,
  request: CallRequest,
  claimed: Promise<void>,
): Promise<Authorized> {
  const authorizing = authorizeCall(tx.query, ctx, request);
  authorizing.catch(() => undefined);
  await claimed;
  const authorized = await authorizing;
  prepare(tx, ctx, authorized, request.name);
  return authorized;
}

/** Records what was locked with the target, as far as it is live. */
function recordLocked(tx: UnitOfWork, { resources }: Authorized, rule: Rule): void {
  if (!("needs" in rule)) return;
  for (const { kind } of lockPath(rule.on)) {
    const { id, deletedAt = null } = resources[kind] ?? {};
    if (typeof id === "bigint" && deletedAt === null) tx.recordLocked(tableOf(kind).table, id);
  }
}

/** The dependencies of a handler, typed without write access. */
export const readDeps = ({ deps }: Context): ReadDeps => deps;

/** The context of a handler, with what its builder adds. */
export const handlerContext = <Name extends Operation, Extra extends object>(
  { resources, caller, membership }: Authorized,
  extra: Extra,
) =>
  // The target is found by the rule at run time; the type derives the same from the rule's type.
  ({ ...resources, caller, membership, ...extra }) as unknown as HandlerContext<Name> & Extra;
