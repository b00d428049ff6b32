import { Failure } from "../../platform/errors.ts";
import type { Credential } from "../access/credential.ts";
import { findCaller } from "../access/resolve-target.ts";
import type { Context } from "./context.ts";
import type { LimitHeaders, Limits } from "./rate-limits.ts";

const rememberedMs = 5 * 60_000;
const mostRemembered = 10_000;

/**
 * Counts calls for their credential, or for their client address.
 *
 * A credential counts for itself only when the database has confirmed it: otherwise a random key
 * in each call would never meet a limit. Over the limit the database is not asked.
 */
export async function countCalls(ctx: Context, count = 1): Promise<LimitHeaders> {
  const { credential, deps, requestMetadata } = ctx;
  const { limits } = deps;
  const { ip } = requestMetadata;
  if (credential instanceof Failure) return limits.client(ip, count);
  if (await isConfirmed(ctx, credential)) {
    return limits.credential(credential.user ?? credential.id, count);
  }
  return limits.client(ip, count);
}

/** A confirmed credential, or a confirmation in progress. */
type Confirmation = { until: number; confirmed: Promise<boolean> };

const confirmations = new WeakMap<Limits, Map<string, Confirmation>>();

async function isConfirmed(ctx: Context, credential: Credential): Promise<boolean> {
  const { limits } = ctx.deps;
  const known = confirmations.get(limits) ?? new Map<string, Confirmation>();
  confirmations.set(limits, known);
  const key = `${credential.kind}:${credential.id}`;
  const found = known.get(key);
  if (found !== undefined && performance.now() < found.until) return found.confirmed;
  const [oldest] = known.keys();
  if (known.size >= mostRemembered && oldest !== undefined) known.delete(oldest);
  known.delete(key);
  const confirmed = confirm(ctx, credential).catch((error: unknown) => {
    known.delete(key);
    throw error;
  });
  known.set(key, { until: performance.now() + rememberedMs, confirmed });
  if (!(await confirmed)) known.delete(key);
  return confirmed;
}

/** Asks the database for a credential. The client pays for a wrong one, so that guesses end. */
async function confirm(ctx: Context, credential: Credential): Promise<boolean> {
  const { deps, requestMetadata } = ctx;
  await deps.limits.client(requestMetadata.ip, 1);
  const caller = await findCaller(deps.db.read, credential, deps.clock());
  await deps.limits.refund(requestMetadata.ip, 1);
  return caller !== null;
}
