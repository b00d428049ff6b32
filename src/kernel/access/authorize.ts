import { noteUse } from "./key-use.ts";
import { Failure, forbidden, notFound, unauthorized } from "../../platform/errors.ts";
import type { Context } from "../context.ts";
import type { Query } from "../../platform/db/query.ts";
import { keyAllows, type Caller, type Key } from "./callers.ts";
import { locate, whoIs, type Found, type Membership } from "./resolve-target.ts";
import { effective, permissions, type Permission } from "../../contract/vocabulary/permissions.ts";
import { idFieldOf, ruleOf, type Operation, type Rule } from "../../contract/policy.ts";

/** What the caller is in the target's workspace, and may do there now. */
export type Standing = Pick<Membership, "id" | "publicId" | "roleId" | "role" | "level"> & {
  may: ReadonlySet<Permission>;
};

/** A call that has been allowed: who calls, on what. */
export type Permitted = {
  caller: Caller | null;
  standing: Standing | null;
  things: Found["things"];
};

/** What is being asked for. */
export type Asked = {
  name: Operation;
  writes: boolean;
  lock: boolean;
  input: Record<string, unknown>;
};

/** Finds the target of a call and allows the call, or throws 401, 404 or 403. */
export async function permit(query: Query, ctx: Context, asked: Asked): Promise<Permitted> {
  const rule = ruleOf(asked.name);
  // The operator's key has been looked at by `beginning`, before the input.
  if (rule.on === "nobody" || rule.on === "operator") {
    return { caller: null, standing: null, things: {} };
  }
  const { credential } = ctx;
  if (credential instanceof Failure) throw credential;
  const now = ctx.deps.clock();
  if (rule.on === "self") {
    const caller = await whoIs(query, credential, now);
    if (caller === null) throw spent();
    if (caller.key !== null) {
      noteUse(ctx.deps, caller.key);
      checkKeyAlone(rule, caller.key, asked.writes);
    }
    return { caller, standing: null, things: {} };
  }
  const { on } = rule;
  const within =
    rule.in === undefined
      ? undefined
      : { kind: rule.in, id: String(asked.input[`${rule.in}PublicId`]) };
  const target = {
    on,
    id: String(asked.input[idFieldOf(rule)]),
    bySlug: rule.by === "slug",
    within,
    lock: asked.lock,
    evenDeleted: rule.evenDeleted,
  };
  const search = () => locate(query, credential, now, target);
  const first = await search();
  const found = asked.lock && isStale(first, on) ? await search() : first;
  if (found === null || isGone(found, now, ctx.deps.config.TRASH_DAYS)) {
    throw (await whoIs(query, credential, now)) === null ? spent() : notFound(on);
  }
  if (found.caller.key !== null) noteUse(ctx.deps, found.caller.key);
  const { caller, things } = found;
  return { caller, things, standing: allow(rule, found, asked.writes) };
}

// Whoever waited for a lock sees the target as it is now, but the chain above it as it was: its board may have moved to another workspace.
const isStale = (found: Found | null, on: string) =>
  found === null ||
  (on !== "workspace" && found.things[on]?.["workspaceId"] !== found.things["workspace"]?.["id"]);

/** What was deleted before this moment is gone, whether the purge has come by, is at it, or has yet to come. */
export const goneBefore = (now: Date, trashDays: number) =>
  new Date(now.getTime() - trashDays * 24 * 60 * 60 * 1000);

function isGone({ things }: Found, now: Date, trashDays: number) {
  const before = goneBefore(now, trashDays);
  return Object.values(things).some(
    ({ deletedAt }) => deletedAt instanceof Date && deletedAt < before,
  );
}

/** 401 for a credential that has been ended. */
export const spent = () => unauthorized("The credential has expired or was revoked.");

/** What a caller who was found may do; throws 403 when that is not what the rule asks for. */
export function allow(
  rule: Extract<Rule, { needs: unknown }>,
  found: Found,
  writes: boolean,
): Standing {
  const { member, caller, things } = found;
  const { key } = caller;
  if (member === null) throw forbidden("You are not a member of this workspace.");
  if (key !== null) checkKeyHere(key, things, writes);
  const may = new Set(rightsOf(member).filter((right) => keyAllows(caller, right)));
  if (!member.onBoard && !may.has("workspace:manage")) {
    throw forbidden("This board is open only to members who were added to it.");
  }
  const { needs } = rule;
  if (needs !== "member" && !may.has(needs)) {
    const mine = rule.orCreator && things[rule.on]?.["createdById"] === caller.userId;
    if (!mine || !keyAllows(caller, needs)) throw forbidden(needs);
  }
  const { id, publicId, roleId, role, level } = member;
  return { id, publicId, roleId, role, level, may };
}

function rightsOf({ rolePermissions, overrides }: Membership): readonly Permission[] {
  return overrides.length === 0
    ? permissions.filter((right) => rolePermissions.includes(right))
    : effective(
        rolePermissions,
        overrides.map((text) => ({ permission: text.slice(1), granted: text.startsWith("+") })),
      );
}

function checkKeyHere(key: Key, things: Found["things"], writes: boolean) {
  if (writes && key.readOnly) throw forbidden("This API key may only read.");
  if (key.workspaceId !== null && things["workspace"]?.["id"] !== key.workspaceId) {
    throw forbidden("This API key is bound to another workspace.");
  }
  if (key.boardId !== null && things["board"]?.["id"] !== key.boardId) {
    throw forbidden("This API key is bound to one board.");
  }
}

function checkKeyAlone(rule: Extract<Rule, { on: "self" }>, key: Key, writes: boolean) {
  const { keys = "whole" } = rule;
  if (writes && key.readOnly && !rule.reads) throw forbidden("This API key may only read.");
  if (keys === "none") throw forbidden("This needs a signed-in user; API keys may not do it.");
  const bound = !key.allPermissions || key.workspaceId !== null || key.boardId !== null;
  if (keys === "whole" && bound) {
    throw forbidden("This API key is bound to permissions, a workspace or a board.");
  }
}
