import { isBetweenCards } from "../../contract/vocabulary/between-cards.ts";
import type { AnyProcedure, inferProcedureInput, inferProcedureOutput } from "@trpc/server";
import { z } from "zod";
import { ruleOf, type Operation, type Rule } from "../../contract/policy.ts";
import { definitionOf } from "../../kernel/procedures/builder.ts";
import type { Find } from "./find.ts";
import type { Group } from "./groups.ts";
import type { WriteOptions, Session } from "./session.ts";
import { inNamesOfTool, type Places } from "./parameter-names.ts";
import { ToolError } from "./text.ts";

/** The name of the operation of a procedure. */
export function operationOf(procedure: AnyProcedure): Operation {
  const { operation } = definitionOf(procedure).meta;
  if (operation === undefined) throw new Error("The procedure has no name.");
  return operation;
}

/** A write that a tool has planned: `batch_run` collects them instead. */
export type Write = {
  operation: Operation;
  input: Record<string, unknown>;
  perform: (session: Session, options: WriteOptions) => Promise<string>;
  /** Why the write is refused unless an earlier call with its `requestKey` has made it. */
  refusal: ToolError | undefined;
  /** Where fields of the input come from that have no parameter of their name. */
  places?: Places;
};

/** Plans a call of a procedure that writes; `say` describes the answer. */
export const write = <Procedure extends AnyProcedure>(
  procedure: Procedure,
  input: inferProcedureInput<Procedure> & Record<string, unknown>,
  say: (output: inferProcedureOutput<Procedure>) => string,
  refusal?: ToolError,
): Write => ({
  operation: operationOf(procedure),
  input,
  refusal,
  async perform(session, options) {
    const { output, version } = await session.run(procedure, input, options);
    return `${say(output)}${version === undefined ? "" : ` Version ${version}.`}`;
  },
});

/** Finds what a tool renames: by its old name, or by the new one if an earlier call renamed it. */
export async function findRenamed<Name extends string | undefined, Found>(
  name: Name,
  newName: string | undefined,
  find: (name: Name | string) => Promise<Found>,
): Promise<{ resource: Found; refusal?: ToolError }> {
  try {
    return { resource: await find(name) };
  } catch (error) {
    if (!(error instanceof ToolError) || newName === undefined) throw error;
    const resource = await find(newName).catch(() => {
      throw error;
    });
    return { resource, refusal: error };
  }
}

type Described = {
  name: string;
  title: string;
  group: Group;
  description: string;
  /** The procedures that it may call: hints and documentation derive from their rules. */
  procedures: readonly AnyProcedure[];
};

type Scene = { session: Session; find: Find };

/** A tool, as it is called: `args` were validated by `input`. */
export type Tool = Described & {
  input: z.ZodObject;
  run: (scene: Scene, args: Record<string, unknown>) => Promise<string>;
  /** What the tool would write; only tools that write have it. */
  plan?: (find: Find, args: Record<string, unknown>) => Promise<Write>;
};

/** A tool that reads. */
export const reads = <Shape extends z.ZodRawShape>(
  described: Described & { input: Shape },
  run: (scene: Scene, args: z.output<z.ZodObject<Shape>>) => Promise<string>,
): Tool => {
  const input = z.strictObject(described.input);
  return { ...described, input, run: (scene, args) => run(scene, input.parse(args)) };
};

const preconditions = {
  ifVersion: z.int().min(1).optional().describe("Fails if the version is another."),
  requestKey: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, "Must be 1 to 255 printable characters")
    .optional()
    .describe("Unique per change: a repeated call with it changes nothing more."),
};
const Preconditions = z.object(preconditions);

/** A tool that writes with one operation. */
export const writes = <Shape extends z.ZodRawShape>(
  described: Described & { input: Shape },
  plan: (find: Find, args: z.output<z.ZodObject<Shape>>) => Promise<Write>,
  check?: (args: z.output<z.ZodObject<Shape>>) => WriteOptions["checkTarget"],
): Tool => {
  const { ifVersion, requestKey } = preconditions;
  const changes = described.procedures.some(
    (procedure) => !("creates" in ruleOf(operationOf(procedure))),
  );
  const toolInput = z.object(described.input);
  const input = z.strictObject({
    ...described.input,
    ...(changes ? { ifVersion } : {}),
    requestKey,
  });
  const planned = async (find: Find, args: Record<string, unknown>) =>
    plan(find, toolInput.parse(args));
  return {
    ...described,
    input,
    plan: planned,
    async run({ session, find }, args) {
      const { ifVersion: version, requestKey: key } = Preconditions.parse(args);
      const { perform, refusal, places } = await planned(find, args);
      const refuse = () => {
        if (refusal !== undefined) throw refusal;
      };
      if (key === undefined) refuse();
      return perform(session, {
        ifMatch: version === undefined ? undefined : `"${version}"`,
        idempotencyKey: key,
        checkTarget: refusal === undefined ? check?.(toolInput.parse(args)) : refuse,
      }).catch((error: unknown) => {
        throw inNamesOfTool(error, input, places);
      });
    },
  };
};

/** Whether each repeated call creates or claims something else. */
const addsAtEachCall = (rule: Rule): boolean =>
  "creates" in rule || rule.emits?.includes("card.claimed") === true;

/** Whether an event says that something is gone. What is between two cards can be said again. */
const isRemoval = (type: string) => type.endsWith(".deleted") && !isBetweenCards(type);

/** What clients show and ask before they call a tool, by the rules of its operations. */
export function hintsOf({ title, procedures }: Described) {
  const rules = procedures.map((procedure) => ruleOf(operationOf(procedure)));
  const isReadOnly = procedures.every((procedure) => definitionOf(procedure).type === "query");
  const removes = rules.some(({ emits = [] }) => emits.some(isRemoval));
  return {
    title,
    readOnlyHint: isReadOnly,
    destructiveHint: removes,
    idempotentHint: isReadOnly || !rules.some(addsAtEachCall),
    openWorldHint: false,
  };
}

/** A schema without its dialect, which is the one of the protocol. */
const Plain = z.record(z.string(), z.json()).transform((schema) => {
  const { $schema: _, ...rest } = schema;
  return rest;
});

/** A tool as clients list it. */
export function definitionOfTool(tool: Tool) {
  const { name, title, description, input } = tool;
  const schema = z.toJSONSchema(input, { io: "input", override: simplify });
  const inputSchema = { ...Plain.parse(schema), type: "object" as const };
  return { name, title, description, inputSchema, annotations: hintsOf(tool) };
}

/** Leaves out what only costs tokens: the service checks each value itself. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const bound of ["minimum", "maximum", "maxItems", "pattern", "default"] as const) {
    delete jsonSchema[bound];
  }
}
