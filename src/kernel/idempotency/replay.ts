import { isDeepStrictEqual } from "node:util";
import { ruleOf, viewsOf, type Operation, type Rule } from "../../contract/policy.ts";
import { Failure } from "../../platform/errors.ts";
import { authorizeBy } from "../access/authorize.ts";
import type { Context } from "../request/context.ts";
import type { NamedCall } from "../invocation/types.ts";
import { visibleOutput, type OutputSchema } from "../invocation/output-schema.ts";

/** The operations that can end the caller's own right to call them again. */
const endsOwnRight = new Set<Operation>(["board.move", "member.updateRole"]);

/** An answer that shows nothing, so that a deletion can be repeated after its target is gone. */
const plainSuccess = { success: true };

/**
 * What a caller may see of a stored answer now.
 *
 * The call is authorized again: a member who was removed cannot read an old answer.
 */
export async function visibleReplay(
  ctx: Context,
  call: NamedCall,
  data: unknown,
  output: OutputSchema,
): Promise<unknown> {
  if (isDeepStrictEqual(data, plainSuccess)) return data;
  const membership = await authorizeReplay(ctx, call);
  if (output.showReplay !== undefined) return output.showReplay(ctx, call.input, data);
  return visibleOutput(data, output, membership);
}

/** Whether a stored refusal may be shown; one that says no more than 403 and 404 always may. */
export async function authorizeRefusal(
  ctx: Context,
  call: NamedCall,
  { failure }: Failure,
): Promise<void> {
  if (failure !== "FORBIDDEN" && failure !== "NOT_FOUND") await authorizeReplay(ctx, call);
}

/**
 * Authorizes a call whose answer is stored, also when its target was deleted since.
 *
 * A role leaves no row behind: its call is authorized for its workspace.
 */
export async function authorizeReplay(ctx: Context, { name, input }: NamedCall) {
  const rule: Rule = ruleOf(name);
  const { read } = ctx.deps.db;
  const request = { input, writes: true, lock: false };
  const authorizeFor = async (currentRule: Rule) => {
    const { membership } = await authorizeBy(read, ctx, currentRule, request);
    ctx.authentication.credentialVerified = true;
    return membership;
  };
  if (!("needs" in rule)) return authorizeFor(rule);
  const needs = endsOwnRight.has(name) ? "member" : rule.needs;
  return authorizeFor({ ...rule, needs, evenDeleted: true }).catch((error: unknown) => {
    const isMissing = error instanceof Failure && error.failure === "NOT_FOUND";
    if (!isMissing || rule.in === undefined) throw error;
    return authorizeFor({ on: rule.in, needs, views: viewsOf(rule), evenDeleted: true });
  });
}
