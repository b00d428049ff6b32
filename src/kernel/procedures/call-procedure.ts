import type { AnyProcedure } from "@trpc/server";
import {
  getTRPCErrorFromUnknown,
  middlewareMarker,
  type ProcedureCallOptions,
} from "@trpc/server/unstable-core-do-not-import";
import type { Context } from "../request/context.ts";

type Call = ProcedureCallOptions<Context> & { meta?: unknown };
type Result = { ok: true; data: unknown } | { ok: false; error: Error };
type Changes = { ctx?: object; input?: unknown; getRawInput?: Call["getRawInput"] };
type Next = (changes?: Changes) => Promise<Result>;
type Middleware = (call: Call & { next: Next }) => Promise<Result>;

type Definition = { middlewares: Middleware[]; meta: unknown };

/**
 * Calls a procedure with its middlewares, as tRPC does.
 *
 * tRPC copies the context by property descriptors, twice for each middleware: this takes a tenth
 * of the CPU of a small call.
 */
export async function callProcedure(procedure: AnyProcedure, call: Call): Promise<unknown> {
  // tRPC does not type the middlewares of a procedure.
  const { middlewares, meta } = procedure._def as unknown as Definition;
  const result = await run(middlewares, { ...call, input: undefined, meta }, 0);
  if (!result.ok) throw result.error;
  return result.data;
}

async function run(middlewares: Middleware[], call: Call, index: number): Promise<Result> {
  const next = (changes?: Changes) => run(middlewares, changedBy(changes, call), index + 1);
  try {
    const middleware = middlewares[index];
    if (middleware === undefined) throw new Error("The procedure has no resolver.");
    const { ctx, input, getRawInput, path, type, signal, batchIndex, meta } = call;
    // Named fields cost less than a spread.
    const own = { ctx, input, getRawInput, path, type, signal, batchIndex, meta, next };
    return await middleware(own);
  } catch (cause) {
    const error = getTRPCErrorFromUnknown(cause);
    const failed = { marker: middlewareMarker, ok: false as const, error };
    return failed;
  }
}

/** A call as its next middleware gets it: most change nothing. */
function changedBy(changes: Changes | undefined, call: Call): Call {
  if (changes === undefined) return call;
  const { path, type, signal, batchIndex, meta } = call;
  const { getRawInput = call.getRawInput } = changes;
  const ctx = changes.ctx === undefined ? call.ctx : { ...call.ctx, ...changes.ctx };
  const input = "input" in changes ? changes.input : call.input;
  return { ctx, input, getRawInput, path, type, signal, batchIndex, meta };
}
