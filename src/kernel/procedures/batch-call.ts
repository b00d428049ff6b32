import type { Context } from "../request/context.ts";

/**
 * The context of one call of a request.
 *
 * The calls of an HTTP batch run at the same time: each has response metadata of its own, and
 * stores the version and the events of no other call.
 */
export const callContext = (ctx: Context, batchIndex: number): Context =>
  ctx.isHttpBatch === true ? { ...ctx, batchIndex, responseMeta: {} } : ctx;
