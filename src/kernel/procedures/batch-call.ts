import type { Context } from "../request/context.ts";

/**
 * The context of one call of a request.
 *
 * The calls of an HTTP batch run at the same time: each has response metadata of its own, so that
 * none stores the version or the events of another.
 */
export const callContext = (ctx: Context, batchIndex: number): Context =>
  ctx.isHttpBatch === true ? { ...ctx, batchIndex, responseMeta: {} } : ctx;
