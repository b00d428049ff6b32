import { isDeepStrictEqual } from "node:util";
import type { AnyProcedure } from "@trpc/server";
import { isOperation } from "../../contract/policy.ts";
import { success } from "../../contract/vocabulary/texts.ts";
import { Failure } from "../../platform/errors.ts";
import type { Context } from "../request/context.ts";
import { definitionOf } from "../procedures/builder.ts";
import {
  BatchInput,
  BatchOutput,
  OperationOutput,
  type Batchable,
  type Result,
} from "./schemas.ts";
import { visibleOutput as visible, type OutputSchema } from "../invocation/output-schema.ts";
import { authorizeReplay } from "../idempotency/replay.ts";

const Request = BatchInput.loose();

/** Shows a stored answer to a caller whose rights may have changed: hidden outputs become null. */
export const batchReplay = (batchable: Batchable): OutputSchema => ({
  async showReplay(ctx, input, data) {
    const { operations } = Request.parse(input);
    const response = BatchOutput.parse(data);
    const results: Result[] = [];
    for (const [nth, result] of response.results.entries()) {
      const operationInput = operations[nth]?.input ?? {};
      const procedure = batchable[result.operation];
      results.push({
        ...result,
        output: await visibleOutput(ctx, procedure, operationInput, result),
      });
    }
    return { ...response, results };
  },
});

async function visibleOutput(
  ctx: Context,
  procedure: AnyProcedure | undefined,
  input: Record<string, unknown>,
  { operation, output }: Result,
): Promise<Result["output"]> {
  if (output === null || procedure === undefined || !isOperation(operation)) return null;
  if (isDeepStrictEqual(output, success)) return output;
  try {
    const membership = await authorizeReplay(ctx, { name: operation, input });
    return OperationOutput.parse(visible(output, definitionOf(procedure).output, membership));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
