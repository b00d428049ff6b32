import type { ErrorCode } from "../../contract/error-codes.ts";
import { failureCatalog } from "../../contract/failure-codes.ts";
import { ruleOf, type Operation, type Rule } from "../../contract/policy.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import {
  conflict,
  forbidden,
  missingPermission,
  notFound,
  type Failure,
  type NotFoundKind,
} from "../../platform/errors.ts";

const isKind = (name: string): name is NotFoundKind =>
  Object.hasOwn(failureCatalog.NOT_FOUND, `${name}_not_found`);

const refusals = {
  user: forbidden("user_required", "API keys cannot use this operation. Sign in as a user."),
  reader: forbidden("api_key_read_only", "This API key may only read."),
  bound: forbidden(
    "api_key_bound",
    "This API key is bound to permissions, a workspace or a board.",
  ),
  operator: forbidden("admin_disabled", "Admin endpoints are disabled: `ADMIN_KEY` is not set."),
  outsider: forbidden("not_a_member", "You are not a member of this workspace."),
};

const conflicts = {
  slug: conflict("slug_taken", 'The slug "garden" is taken. Choose another one.', ["slug"]),
  id: conflict("id_taken", "The publicId is taken. Make another one.", ["publicId"]),
  key: conflict(
    "idempotency_key_in_flight",
    "A call with this Idempotency-Key is still in flight. Repeat it later.",
  ),
};

/** All failures that serve as examples; each has a response component. */
export const examples: Failure[] = [
  ...permissions.map(missingPermission),
  ...Object.keys(failureCatalog.NOT_FOUND)
    .map((code) => code.replace("_not_found", ""))
    .filter(isKind)
    .map(notFound),
  ...Object.values(refusals),
  ...Object.values(conflicts),
];

/** An example of an operation's failure; undefined if all operations share one. */
export function exampleFor(
  error: ErrorCode,
  operation: Operation,
  fields: readonly string[],
): Failure | undefined {
  const rule = ruleOf(operation);
  if (error === "FORBIDDEN") return refusalOf(rule);
  if (error === "NOT_FOUND") return missingOf(rule, fields);
  if (error !== "CONFLICT") return undefined;
  if (fields.includes("slug")) return conflicts.slug;
  return fields.includes("publicId") ? conflicts.id : conflicts.key;
}

function refusalOf(rule: Rule): Failure {
  if ("needs" in rule) {
    return rule.needs === "member" ? refusals.outsider : missingPermission(rule.needs);
  }
  if (rule.on === "operator") return refusals.operator;
  if (rule.on !== "self" || rule.keys === "none") return refusals.user;
  return rule.keys === "any" ? refusals.reader : refusals.bound;
}

function missingOf(rule: Rule, fields: readonly string[]): Failure | undefined {
  const kinds = fields.map((field) => field.replace(/(?:PublicIds?|Slug|Code|s)$/, ""));
  const about = "needs" in rule ? [rule.on, ...kinds] : kinds;
  const kind = about.find(isKind);
  return kind && notFound(kind);
}
