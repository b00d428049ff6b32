import {
  permissions,
  systemRoles,
  type Permission,
} from "../../../src/contract/vocabulary/permissions.ts";
import { ruleOf, viewsOf, type Operation } from "../../../src/contract/policy.ts";
import { isOnBoard, writes } from "./call.ts";

/** The bounds of a caller's API key. */
export type KeyBounds = {
  readOnly?: true;
  permissions?: "needed" | "others" | "all";
  workspace?: "here" | "elsewhere";
  board?: "here" | "elsewhere";
};

/** What is known of a caller before the call. */
export type CallerState = {
  credential: "none" | "bad" | "good";
  role?: keyof typeof systemRoles;
  removed?: true;
  /** Whether they are invited to the workspace and have not joined. */
  invited?: true;
  /** Whether they send the admin key, or are signed in to an operator's account. */
  operator?: true;
  /** Whether they send a wrong admin key. */
  wrongKey?: true;
  /** What an override does to the permission that the operation needs. */
  override?: "granted" | "revoked";
  /** Whether they created the operation's target. */
  creator?: true;
  key?: KeyBounds;
};

/** The permission that an operation needs; where it needs no permission, any will do. */
export function neededBy(operation: Operation): Permission {
  const rule = ruleOf(operation);
  return "needs" in rule && rule.needs !== "member" ? rule.needs : "card:view";
}

/** The permission that the inputs of granting operations grant; the caller must hold it too. */
export const handedOut = "card:view" satisfies Permission;

const granting = new Set<Operation>([
  "role.grant",
  "permission.grantToMember",
  "permission.resetMember",
]);

/** The permissions that a key holds. */
export function heldByKey(
  operation: Operation,
  held: NonNullable<KeyBounds["permissions"]>,
): Permission[] {
  const needed = neededBy(operation);
  if (held === "needed") {
    const granted: Permission[] = granting.has(operation) ? [handedOut] : [];
    return [needed, ...viewsOf(ruleOf(operation)), ...granted];
  }
  return permissions.filter((one) => held === "all" || one !== needed);
}

const isBound = ({ permissions: held, workspace, board }: KeyBounds) =>
  held !== undefined || workspace !== undefined || board !== undefined;

/** The operations that use a connection to another service: no key with a scope has one. */
const usesConnection: ReadonlySet<Operation> = new Set(["import.github"]);

/** The operations that answer one card of their workspace: a key of another board finds none. */
const findsCard: ReadonlySet<Operation> = new Set(["card.getByNumber"]);

/** The status that a caller gets, from the policy table and the role defaults alone. */
export function expectedStatus(operation: Operation, caller: CallerState): 200 | 401 | 403 | 404 {
  const rule = ruleOf(operation);
  const { key } = caller;
  if (rule.on === "public") return 200;
  if (rule.on === "operator") {
    if (caller.operator === true) return 200;
    const isAsked = rule.announced === true || caller.wrongKey === true;
    return isAsked || caller.credential === "bad" ? 401 : 404;
  }
  if (caller.credential !== "good") return 401;
  const changes = writes(operation) && !("reads" in rule);
  if (key?.readOnly === true && changes) return 403;
  if (rule.on === "self") {
    if (key === undefined || rule.keys === "any") return 200;
    return rule.keys === "none" || isBound(key) ? 403 : 200;
  }
  if (caller.role === undefined || caller.removed === true) return 403;
  if (key !== undefined && rule.keys === "none") return 403;
  if (key?.workspace === "elsewhere") return 403;
  if (key !== undefined && isBound(key) && usesConnection.has(operation)) return 403;
  if (key?.board !== undefined && rule.boardKeys !== "filtered") {
    if (key.board === "elsewhere" || !isOnBoard(operation)) return 403;
  }
  if (key?.board === "elsewhere" && findsCard.has(operation)) return 404;
  if (rule.needs === "member") {
    const isWithout = caller.override === "revoked" || key?.permissions === "others";
    return isWithout && viewsOf(rule).includes(neededBy(operation)) ? 403 : 200;
  }
  const inKey =
    key?.permissions === undefined || heldByKey(operation, key.permissions).includes(rule.needs);
  if (!inKey) return 403;
  const byRole: readonly Permission[] = systemRoles[caller.role].permissions;
  const held =
    caller.override === undefined ? byRole.includes(rule.needs) : caller.override === "granted";
  return held || (rule.orCreator === true && caller.creator === true) ? 200 : 403;
}
