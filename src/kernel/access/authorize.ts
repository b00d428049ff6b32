import type { Logger } from "pino";
import type { Database } from "../../platform/db/database.ts";
import {
  Failure,
  forbidden,
  notFound,
  invalidToken,
  missingPermission,
} from "../../platform/errors.ts";
import type { Credential } from "./credential.ts";
import { requireFactor, type FactorSetting } from "./second-factor.ts";
import type { Query } from "../../platform/db/query.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import { isBound, keyAllows, type Caller, type Key } from "./callers.ts";
import { findCaller, findCallerWithRow, findOperator } from "./find-caller.ts";
import { isExpiredTrash } from "./trash-expiry.ts";
import { permissionsOfMembership } from "./effective-permissions.ts";
import { resolveTarget, type Target, type MembershipRow } from "./resolve-target.ts";
import { tableOf } from "./resources.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { idFieldOf, ruleOf, viewsOf, type Operation, type Rule } from "../../contract/policy.ts";

/** The caller's membership in the target's workspace, with the permissions held now. */
export type Membership = Pick<MembershipRow, "id" | "publicId" | "roleId" | "role" | "level"> & {
  may: ReadonlySet<Permission>;
};

/** An authorized call: its caller, membership and target. */
export type Authorized = {
  caller: Caller | null;
  membership: Membership | null;
  resources: Target["resources"];
  /** Whether the target is locked, and what comes before it in the order of locks. */
  isLocked?: boolean;
  /** The extra row, where the call has one. */
  extra?: Target["extra"];
};

/** The call to authorize. */
export type AuthorizationRequest = {
  name: Operation;
  writes: boolean;
  lock: boolean;
  input: Record<string, unknown>;
  /** A query that reads one more row in the same snapshot. */
  extra?: Sql | undefined;
  /** The workspace of a batch: nothing is locked elsewhere. */
  workspaceId?: bigint | undefined;
};

/** The caller's credential, and what its check needs. */
export type AuthorizationContext = {
  credential: Credential | Failure;
  /** The operator's key, which was checked when the call came. */
  adminKey?: string | undefined;
  deps: KeyUseDeps & { config: { TRASH_DAYS: number } & FactorSetting };
};

/** Finds the target of a call and authorizes it; throws 401, 404 or 403. */
export const authorize = (
  query: Query,
  ctx: AuthorizationContext,
  request: AuthorizationRequest,
): Promise<Authorized> => authorizeBy(query, ctx, ruleOf(request.name), request);

/** Authorizes a call by a given rule instead of its operation's own. */
export async function authorizeBy(
  query: Query,
  ctx: AuthorizationContext,
  rule: Rule,
  request: Omit<AuthorizationRequest, "name">,
): Promise<Authorized> {
  if (rule.on === "public") return { caller: null, membership: null, resources: {} };
  const { credential } = ctx;
  if (rule.on === "operator") return authorizeOperator(query, ctx);
  if (credential instanceof Failure) throw credential;
  const now = ctx.deps.clock();
  if (rule.on === "self") {
    const callerWithRow = await findCallerWithRow(query, credential, now, request.extra);
    if (callerWithRow === null) throw credentialExpired();
    const { caller, extra } = callerWithRow;
    if (caller.key !== null) {
      recordUse(ctx.deps, caller.key);
      checkKeyAlone(rule, caller.key, request.writes);
    }
    return { caller, membership: null, resources: {}, extra };
  }
  const { on } = rule;
  const within =
    rule.in === undefined
      ? undefined
      : { kind: rule.in, id: String(request.input[`${rule.in}PublicId`]) };
  const target = {
    on,
    id: String(request.input[idFieldOf(rule)]),
    bySlug: rule.by === "slug",
    within,
    lock: request.lock,
    rule,
    extra: request.extra,
    workspaceId: request.workspaceId,
  };
  const search = async (nowait: boolean) =>
    (await resolveTarget(query, credential, now, { ...target, nowait })) ??
    (request.workspaceId === undefined ? null : findElsewhere(request.workspaceId));
  const findElsewhere = async (workspaceId: bigint) => {
    const anywhere = { ...target, lock: false, workspaceId: undefined };
    const elsewhere = await resolveTarget(query, credential, now, anywhere);
    // A target in this workspace was created just now: the next search locks it.
    return elsewhere?.resources["workspace"]?.["id"] === workspaceId ? null : elsewhere;
  };
  const first = await search(false);
  // A batch has locked later rows: a target that appears now is locked without a wait.
  const resolved = request.lock && isStale(first, on) ? await search(true) : first;
  if (resolved === null || isExpiredTrash(resolved, now, ctx.deps.config.TRASH_DAYS)) {
    throw (await findCaller(query, credential, now)) === null ? credentialExpired() : notFound(on);
  }
  if (resolved.caller.key !== null) recordUse(ctx.deps, resolved.caller.key);
  const { caller, resources, extra } = resolved;
  const membership = authorizeMember(rule, resolved, request.writes, ctx.deps.config);
  return { caller, resources, membership, isLocked: request.lock, extra };
}

/** Authorizes an operator: by the key that was checked when the call came, or by the account. */
async function authorizeOperator(
  query: Query,
  { adminKey, credential, deps }: AuthorizationContext,
): Promise<Authorized> {
  if (adminKey !== undefined) return { caller: null, membership: null, resources: {} };
  if (credential instanceof Failure) throw credential;
  const found = await findOperator(query, credential, deps.clock());
  if (found?.isOperator !== true) throw notFound("path");
  if (deps.config.REQUIRE_SECOND_FACTOR) requireFactor(found.caller);
  return { caller: found.caller, membership: null, resources: {} };
}

// After a wait for a lock the target is current, but its ancestors may not be: a board can move.
const isStale = (target: Target | null, on: string) =>
  target === null ||
  (on !== "workspace" &&
    target.resources[on]?.["workspaceId"] !== target.resources["workspace"]?.["id"]);

/** 401 for a credential that has expired or was revoked. */
export const credentialExpired = () =>
  invalidToken("credential_expired", "The credential has expired or was revoked.");

/** The membership of a resolved caller; throws 403 when it does not satisfy the rule. */
export function authorizeMember(
  rule: Extract<Rule, { needs: unknown }>,
  target: Target,
  writes: boolean,
  setting: FactorSetting,
): Membership {
  const { membership, caller, resources } = target;
  const { key } = caller;
  if (membership === null)
    throw forbidden("not_a_member", "You are not a member of this workspace.");
  if (!rule.withoutFactor && (membership.requiresFactor || setting.REQUIRE_SECOND_FACTOR)) {
    requireFactor(caller);
  }
  if (key !== null) checkKeyHere(rule, key, resources, writes);
  const may = new Set(
    permissionsOfMembership(membership).filter((right) => keyAllows(caller, right)),
  );
  if (!membership.seesBoard && !may.has("workspace:manage")) {
    throw forbidden("board_restricted", "This board is open only to members who were added to it.");
  }
  const { needs } = rule;
  if (needs !== "member" && !may.has(needs)) {
    if (!isCreator(rule, target) || !keyAllows(caller, needs)) throw missingPermission(needs);
  }
  const unseen = viewsOf(rule).find((view) => !may.has(view));
  if (unseen !== undefined) throw missingPermission(unseen);
  const { id, publicId, roleId, role, level } = membership;
  return { id, publicId, roleId, role, level, may };
}

/** The creator has their rights on a board only while they may create boards. */
function isCreator(rule: Rule, { resources, membership, caller }: Target): boolean {
  if (!("orCreator" in rule) || !rule.orCreator || membership === null) return false;
  const { createdById, ownerId } = resources[rule.on] ?? {};
  if (createdById !== caller.userId && ownerId !== membership.id) return false;
  return rule.on !== "board" || permissionsOfMembership(membership).includes("board:create");
}

function checkKeyHere(
  rule: Extract<Rule, { needs: unknown }>,
  key: Key,
  resources: Target["resources"],
  writes: boolean,
) {
  if (writes && key.readOnly) throw forbidden("api_key_read_only", "This API key may only read.");
  if (rule.keys === "none") throw userRequired();
  if (key.workspaceId !== null && resources["workspace"]?.["id"] !== key.workspaceId) {
    throw forbidden("api_key_bound", "This API key is bound to another workspace.");
  }
  if (rule.boardKeys === "filtered") return;
  const boardId = tableOf(rule.on).isShared
    ? resources[rule.on]?.["boardId"]
    : resources["board"]?.["id"];
  if (key.boardId !== null && boardId !== key.boardId) {
    throw forbidden("api_key_bound", "This API key is bound to one board.");
  }
}

function checkKeyAlone(rule: Extract<Rule, { on: "self" }>, key: Key, writes: boolean) {
  const { keys = "unrestricted" } = rule;
  if (writes && key.readOnly && !rule.reads)
    throw forbidden("api_key_read_only", "This API key may only read.");
  if (keys === "none") throw userRequired();
  if (keys === "unrestricted" && isBound(key)) {
    throw forbidden(
      "api_key_bound",
      "This API key is bound to permissions, a workspace or a board.",
    );
  }
}

const userRequired = () =>
  forbidden("user_required", "API keys cannot use this operation. Sign in as a user.");

/** What recording the use of a key needs. */
type KeyUseDeps = { db: Database; clock: () => Date; log: Logger };

const recordEveryMs = 60_000;

/** Records the use of an API key, at most once a minute; the call neither waits nor fails. */
function recordUse(
  { db, clock, log }: KeyUseDeps,
  key: { id: bigint; lastUsedAt: Date | null },
): void {
  const now = clock();
  const due = new Date(now.getTime() - recordEveryMs);
  if (key.lastUsedAt !== null && key.lastUsedAt > due) return;
  // Calls at the same time have all seen the old value: the condition lets one of them write.
  db.write(
    sql`UPDATE api_keys SET "lastUsedAt" = ${now}::timestamptz
     WHERE id = ${key.id} AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= ${due}::timestamptz)`,
  ).catch((error: unknown) => {
    log.warn({ err: error }, "the last use of an API key was not recorded");
  });
}
