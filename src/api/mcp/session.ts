import type { AnyProcedure, inferProcedureInput, inferProcedureOutput } from "@trpc/server";
import { definitionOf, runProcedure } from "../../kernel/procedures/builder.ts";
import { partOf } from "../../kernel/request/count-calls.ts";
import type { Context } from "../../kernel/request/context.ts";
import { ToolError } from "./text.ts";

/** Preconditions and key of a write. */
export type WriteOptions = Pick<Context, "ifMatch" | "idempotencyKey" | "checkTarget">;

const noOptions: WriteOptions = { ifMatch: undefined, idempotencyKey: undefined };

/** Runs operations for one request, which was counted as one call, as its caller. */
export class Session {
  readonly #ctx: Context;
  readonly #mayWrite: boolean;
  #calls = 0;

  constructor(ctx: Context, mayWrite: boolean) {
    this.#ctx = ctx;
    this.#mayWrite = mayWrite;
  }

  /** The moment of the request. */
  get now(): Date {
    return this.#ctx.deps.clock();
  }

  /** Runs an operation, as REST does. Each one after the first is charged as one more call. */
  async run<Procedure extends AnyProcedure>(
    procedure: Procedure,
    input: inferProcedureInput<Procedure>,
    options = noOptions,
  ): Promise<{ output: inferProcedureOutput<Procedure>; version: number | undefined }> {
    if (!this.#mayWrite && definitionOf(procedure).type !== "query") {
      throw new ToolError("This endpoint only reads.");
    }
    if (this.#calls++ > 0) await this.#ctx.chargeCalls?.(1);
    const callContext: Context = {
      ...this.#ctx,
      ...partOf(this.#ctx),
      ...options,
      responseMeta: {},
    };
    const output = await runProcedure(procedure, callContext, input);
    return { output, version: callContext.responseMeta.version };
  }

  /** Runs an operation that reads. */
  async read<Procedure extends AnyProcedure>(
    procedure: Procedure,
    input: inferProcedureInput<Procedure>,
  ): Promise<inferProcedureOutput<Procedure>> {
    return (await this.run(procedure, input)).output;
  }
}
