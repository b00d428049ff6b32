import type { AnyProcedure, inferProcedureInput, inferProcedureOutput } from "@trpc/server";
import { definitionOf, runProcedure } from "../../kernel/procedures/builder.ts";
import type { Context } from "../../kernel/request/context.ts";
import { ToolError } from "./text.ts";

/** Preconditions and key of a write. */
export type WriteOptions = Pick<Context, "ifMatch" | "idempotencyKey" | "checkTarget">;

/** Runs operations for one request, as its caller. */
export type Session = {
  /** Runs an operation, as REST does. Each one after the first counts as one more call. */
  run<Procedure extends AnyProcedure>(
    procedure: Procedure,
    input: inferProcedureInput<Procedure>,
    options?: WriteOptions,
  ): Promise<{ output: inferProcedureOutput<Procedure>; version: number | undefined }>;
};

const noOptions: WriteOptions = { ifMatch: undefined, idempotencyKey: undefined };

/** The session of a request that was counted as one call. */
export function createSession(ctx: Context, mayWrite: boolean): Session {
  let calls = 0;
  return {
    async run(procedure, input, options = noOptions) {
      if (!mayWrite && definitionOf(procedure).type !== "query") {
        throw new ToolError("This endpoint only reads.");
      }
      if (calls++ > 0) await ctx.countMore?.(1);
      const callContext = { ...ctx, ...options, responseMeta: {} as Context["responseMeta"] };
      const output = await runProcedure(procedure, callContext, input);
      return { output, version: callContext.responseMeta.version };
    },
  };
}
