import { z } from "zod";
import type { AnyProcedure } from "@trpc/server";
import { BatchOutput } from "../../../kernel/batch/schemas.ts";
import { Failure } from "../../../platform/errors.ts";
import * as arg from "../arguments.ts";
import { readArguments } from "../input.ts";
import { inNamesOfTool, type Places } from "../parameter-names.ts";
import { ToolError } from "../text.ts";
import type { Tool } from "../tool.ts";

const Call = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});
const input = z.strictObject({
  workspace: arg.Workspace,
  calls: z.array(Call).min(1).max(100),
  dryRun: z.boolean().describe("Runs and then undoes it.").optional(),
  requestKey: z.string().optional(),
});
const Version = z.object({ ifVersion: z.int().optional() });
const Answer = z.object({ publicId: z.string().optional(), cardNumber: z.string().optional() });

/** Arguments that only the batch itself can have. */
const ofBatch = ["requestKey", "expected"] as const;

type Named = { input: z.ZodObject; places: Places | undefined };

/** A failure of one of the calls, in the names of its tool. */
function inNamesOfTools(error: unknown, tools: Named[]): unknown {
  if (!(error instanceof Failure) || error.failedAt === undefined) return error;
  const { failedAt } = error;
  const named = tools[failedAt];
  if (named === undefined) return error;
  return inNamesOfTool(error, named.input, named.places, ["calls", failedAt, "arguments"]);
}

/** The tool that runs calls of other tools in one transaction. */
export const batchTool = (batch: AnyProcedure, tools: readonly Tool[]): Tool => ({
  name: "batch_run",
  title: "Run several writes",
  group: "batch",
  description:
    "Runs up to 100 calls of tools that write, all or nothing, in one workspace. Names mean what " +
    "exists before the batch. Calls may have `ifVersion`.",
  procedures: [batch, ...new Set(tools.flatMap(({ procedures }) => procedures))],
  input,
  async run({ session, find }, args) {
    const { workspace, calls, dryRun, requestKey } = input.parse(args);
    const { publicId: workspacePublicId } = await find.workspace(workspace);
    const operations = [];
    const named: Named[] = [];
    for (const [nth, { arguments: given = {}, ...call }] of calls.entries()) {
      const planned = tools.find(({ name }) => name === call.tool);
      if (planned?.plan === undefined) {
        const names = tools.map(({ name }) => name).join(", ");
        throw new ToolError(`calls.${nth}: ${call.tool} is not one of ${names}.`);
      }
      const forbiddenName = ofBatch.find((name) => name in given);
      if (forbiddenName !== undefined)
        throw new ToolError(`calls.${nth}: ${forbiddenName} does not apply here.`);
      const data = readArguments(planned.input, given, ["calls", nth, "arguments"]);
      const { operation, refusal, places, ...write } = await planned.plan(find, data);
      if (refusal !== undefined) throw new ToolError(`calls.${nth}: ${refusal.message}`);
      const { ifVersion } = Version.parse(data);
      operations.push({ operation, input: write.input, ifVersion });
      named.push({ input: planned.input, places });
    }
    const { output } = await session
      .run(
        batch,
        { workspacePublicId, operations, dryRun },
        { ifMatch: undefined, idempotencyKey: requestKey },
      )
      .catch((error: unknown) => {
        throw inNamesOfTools(error, named);
      });
    const { results } = BatchOutput.parse(output);
    const lines = results.map(({ output: response, version }, nth) => {
      const { publicId, cardNumber } = Answer.safeParse(response).data ?? {};
      const facts = [cardNumber, publicId, version === null ? undefined : `version ${version}`];
      return `- ${calls[nth]?.tool}: ${facts.filter((fact) => fact !== undefined).join(", ")}`;
    });
    return [dryRun === true ? "Would have run:" : "Ran:", ...lines].join("\n");
  },
});
