import type { Context } from "../../kernel/request/context.ts";

const outerCalls = new WeakMap<Request, Context>();

/** Records that a counted request makes another one. */
export const recordInnerCall = (request: Request, outer: Context): void =>
  void outerCalls.set(request, outer);

/** The counted request that makes a request, if there is one. */
export const outerCallOf = (request: Request): Context | undefined => outerCalls.get(request);
