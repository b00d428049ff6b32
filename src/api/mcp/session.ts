import type { AnyProcedure, inferProcedureInput, inferProcedureOutput } from "@trpc/server";
import { definitionOf, runProcedure } from "../../kernel/procedures/builder.ts";
import type { Context } from "../../kernel/request/context.ts";
import { ToolError } from "./text.ts";

/** What is sent with a write beside its input. */
export type Sent = Pick<Context, "ifMatch" | "idempotencyKey" | "checkTarget">;

/** The calls of one request, by its caller. */
export type Session = {
  /** Runs an operation, as REST does. Each one after the first counts as one more call. */
  run<Procedure extends AnyProcedure>(
    procedure: Procedure,
    input: inferProcedureInput<Procedure>,
    sent?: Sent,
  ): Promise<{ output: inferProcedureOutput<Procedure>; version: number | undefined }>;
};

const nothing: Sent = { ifMatch: undefined, idempotencyKey: undefined };

/** The session of a request that was counted as one call. */
export function createSession(ctx: Context, mayWrite: boolean): Session {
  let calls = 0;
  return {
    async run(procedure, input, sent = nothing) {
      if (!mayWrite && definitionOf(procedure).type !== "query") {
        throw new ToolError("This endpoint only reads.");
      }
      if (calls++ > 0) await ctx.countMore?.(1);
      const own = { ...ctx, ...sent, responseMeta: {} as Context["responseMeta"] };
      const output = await runProcedure(procedure, own, input);
      return { output, version: own.responseMeta.version };
    },
  };
}
