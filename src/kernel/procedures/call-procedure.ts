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
type Middleware = (call: object) => Promise<Result>;

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
  const result = await run(middlewares, { ...call, meta }, 0);
  if (!result.ok) throw result.error;
  return result.data;
}

async function run(middlewares: Middleware[], call: Call, index: number): Promise<Result> {
  const next = (changes: Changes = {}) => {
    const { ctx, input, getRawInput = call.getRawInput } = changes;
    return run(
      middlewares,
      {
        ...call,
        ctx: ctx === undefined ? call.ctx : { ...call.ctx, ...ctx },
        input: "input" in changes ? input : call.input,
        getRawInput,
      },
      index + 1,
    );
  };
  try {
    const middleware = middlewares[index];
    if (middleware === undefined) throw new Error("The procedure has no resolver.");
    return await middleware({ ...call, next });
  } catch (cause) {
    const error = getTRPCErrorFromUnknown(cause);
    const failed = { marker: middlewareMarker, ok: false as const, error };
    return failed;
  }
}
