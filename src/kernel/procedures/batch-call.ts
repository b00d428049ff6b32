import type { Context } from "../request/context.ts";

/**
 * The context of one call of a request.
 *
 * The calls of an HTTP batch run at the same time: each has response metadata of its own, and
 * stores the version and the events of no other call. Call n has the key `key:n`.
 */
export function callContext(ctx: Context, batchIndex: number): Context {
  if (ctx.httpBatch === undefined) return ctx;
  const key = ctx.idempotencyKey;
  const idempotencyKey = key === undefined ? undefined : `${key}:${batchIndex}`;
  return { ...ctx, idempotencyKey, responseMeta: {} };
}
