import type {
  AnyProcedure,
  inferProcedureInput,
  inferProcedureOutput,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TrackedEnvelope,
  TRPCSubscriptionProcedure,
} from "@trpc/server";
import { z } from "zod";
import { bringsCards, ruleOf, type Operation } from "../../contract/policy.ts";
import { declaredFailures } from "../../contract/interface.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { ClientId, Override, WorkspaceId } from "../../contract/vocabulary/texts.ts";
import { fieldsByOtherName, withUsualNames } from "../../contract/vocabulary/other-names.ts";
import { invalidInput } from "../../platform/errors.ts";
import type { NewSpan } from "../../platform/tracing/span.ts";
import { inSpan } from "../../platform/tracing/tracing.ts";
import type { OutputSchema } from "../invocation/output-schema.ts";
import type { InputParser, NamedCall, RuleFields } from "../invocation/types.ts";
import type { Context } from "../request/context.ts";
import { failureOf, inputIssues } from "../request/error-response.ts";
import { procedure, type ErrorShape, type Meta, type TrackedData } from "../request/trpc.ts";
import { callContext, checkIfMatch, readInput, withCredential } from "./check-call.ts";

/** A call as a transport hands it over. */
export type Call = {
  ctx: Context;
  getRawInput: () => Promise<unknown>;
  signal?: AbortSignal | undefined;
  /** The index of the call in its HTTP batch. */
  batchIndex?: number;
};

/** The parts of an operation, for transports, batches and the document. */
export type Definition = {
  type: "query" | "mutation" | "subscription";
  meta: Meta;
  input: z.ZodObject;
  output: OutputSchema;
  /** Authenticates a call, checks its input, and runs it. */
  run: (call: Call) => Promise<unknown>;
};

/** A call with a credential and a valid input. */
export type CheckedCall<Input> = {
  ctx: Context;
  input: Input;
  /** The same input, untyped, with the operation's name. */
  named: NamedCall;
  output: OutputSchema;
  /** The result of the handler as the output schema has it. */
  parse: (result: unknown) => unknown;
};

/** Runs the handler with what is added to its context. */
type Handle<Added> = (added: Added) => Promise<unknown>;

/** What happens around the handler of each call: access, transactions, stored answers. */
type CallWrapper<Input, Added> = (
  call: CheckedCall<Input>,
  handle: Handle<Added>,
) => Promise<unknown>;

/** A finished answer: the output schema is not run on it. */
export class Answered {
  readonly data: unknown;
  constructor(data: unknown) {
    this.data = data;
  }
}

const definitions = new WeakMap<object, Definition>();

/** The definition of a procedure. */
export function definitionOf(built: AnyProcedure): Definition {
  const definition = definitions.get(built);
  if (definition === undefined) throw new Error("The procedure has no definition.");
  return definition;
}

/** Runs a procedure with an input, and answers as it does. */
export const runProcedure = <Procedure extends AnyProcedure>(
  built: Procedure,
  ctx: Context,
  input: inferProcedureInput<Procedure>,
): Promise<inferProcedureOutput<Procedure>> =>
  definitionOf(built).run({ ctx, getRawInput: () => Promise.resolve(input) }) as Promise<
    inferProcedureOutput<Procedure>
  >;

type HandlerCall<Input, Added> = {
  ctx: Omit<Context, keyof Added> & Added;
  input: Input;
  signal: AbortSignal | undefined;
};
/** What a handler returns: the answer, without the fields that its builder adds. */
type Returned<Schema, Later extends string> = Schema extends z.ZodType
  ? [Later] extends [never]
    ? z.input<Schema>
    : Omit<z.input<Schema>, Later>
  : unknown;
type Handler<Input, Added, Result> = (call: HandlerCall<Input, Added>) => Result | Promise<Result>;
/** What a client gets of a stream: tRPC sends the cursor of an item beside it. */
type ItemOf<Stream> =
  Stream extends AsyncIterable<infer Item>
    ? Item extends TrackedEnvelope<infer Data>
      ? TrackedData<Data>
      : Item
    : never;
type Built<Parser extends InputParser<z.ZodRawShape>, Schema, Result> = {
  input: Parser["_input"];
  output: Schema extends z.ZodType ? z.output<Schema> : Result;
  meta: Meta;
  errorShape: ErrorShape;
};

/** Builds an operation: its route, the schema of its answer, and at last its handler. */
export class Builder<
  Parser extends InputParser<z.ZodRawShape>,
  Added extends object,
  Later extends string = never,
  Schema = undefined,
> {
  readonly #name: Operation;
  readonly #input: z.ZodObject;
  readonly #around: CallWrapper<Parser["_output"], Added>;
  readonly #meta: Meta;
  readonly #output: OutputSchema;

  constructor(
    name: Operation,
    input: z.ZodObject,
    around: CallWrapper<Parser["_output"], Added>,
    meta: Meta = {},
    output: OutputSchema = {},
  ) {
    this.#name = name;
    this.#input = input;
    this.#around = around;
    this.#meta = { operation: name, ...meta };
    this.#output = output;
  }

  /** Adds metadata, such as the REST route. */
  meta(meta: Meta): Builder<Parser, Added, Later, Schema> {
    const all = { ...this.#meta, ...meta };
    return new Builder(this.#name, this.#input, this.#around, all, this.#output);
  }

  /** Sets the schema of the answer: what it does not name does not leave the server. */
  output<Answer extends z.ZodType>(schema: Answer): Builder<Parser, Added, Later, Answer> {
    const output = { ...this.#output, schema };
    return new Builder(this.#name, this.#input, this.#around, this.#meta, output);
  }

  query<Result extends Returned<Schema, Later> | Answered>(
    handler: Handler<Parser["_output"], Added, Result>,
  ): TRPCQueryProcedure<Built<Parser, Schema, Result>> {
    return this.#build("query", handler);
  }

  mutation<Result extends Returned<Schema, Later> | Answered>(
    handler: Handler<Parser["_output"], Added, Result>,
  ): TRPCMutationProcedure<Built<Parser, Schema, Result>> {
    return this.#build("mutation", handler);
  }

  /** Ends with a handler that opens a stream. */
  subscription<Result extends AsyncIterable<unknown>>(
    handler: Handler<Parser["_output"], Added, Result>,
  ): TRPCSubscriptionProcedure<Built<Parser, undefined, AsyncIterable<ItemOf<Result>>>> {
    return this.#build("subscription", handler);
  }

  #build<Procedure>(
    type: Definition["type"],
    handler: Handler<Parser["_output"], Added, unknown>,
  ): Procedure {
    const otherNames = fieldsByOtherName(this.#input);
    const perform = async ({ ctx, getRawInput, signal, batchIndex = 0 }: Call) =>
      withCredential(this.#name, ctx, type === "mutation", async () => {
        checkIfMatch(this.#name, ctx, this.#meta);
        const rawInput = withUsualNames(await readInput(getRawInput), otherNames);
        const parsed = await this.#input.safeParseAsync(rawInput);
        if (!parsed.success) throw invalidInput(inputIssues(parsed.error));
        const named = { name: this.#name, input: parsed.data };
        // The type is that of the schema.
        const input = parsed.data as Parser["_output"];
        const handle = async (added: Added) =>
          handler({ ctx: { ...ctx, ...added }, input, signal });
        const output = this.#output;
        // The handler sets headers of the whole HTTP batch, such as a cookie.
        const callCtx = type === "mutation" ? callContext(ctx, batchIndex) : ctx;
        return this.#around({ ctx: callCtx, input, named, output, parse }, handle);
      });
    const run = (call: Call) => inSpan(spanOf(this.#name, call), () => perform(call));
    const parse = (result: unknown) => {
      if (result instanceof Answered) return result.data;
      const { schema } = this.#output;
      return schema === undefined ? result : z.parse(schema, result);
    };
    const started = procedure
      // The resolver reads the input itself, after the credential.
      .use(({ getRawInput, batchIndex, next }) => next({ ctx: { getRawInput, batchIndex } }))
      .meta(this.#meta);
    const resolve = ({ ctx: { getRawInput, batchIndex, ...ctx }, signal }: ResolverCall) =>
      run({ ctx, getRawInput, batchIndex, signal });
    const ended: AnyProcedure =
      type === "query"
        ? started.query(resolve)
        : type === "mutation"
          ? started.mutation(resolve)
          : started.subscription((call) => resolve(call) as Promise<AsyncIterable<unknown>>);
    const { meta, input, output } = { meta: this.#meta, input: this.#input, output: this.#output };
    definitions.set(ended, { type, meta, input, output, run });
    // tRPC's own builder would infer the same type from the schemas.
    return ended as Procedure;
  }
}

/** The span of a call. A refusal is not a fault. */
const spanOf = (name: Operation, { ctx }: Call): NewSpan => ({
  name,
  kind: "internal",
  attributes: { "request.id": ctx.requestMetadata.requestId },
  isFault: (error) => failureOf(error).status >= 500,
});

/** What tRPC calls the resolver with. */
type ResolverCall = {
  ctx: Context & Required<Pick<Call, "getRawInput" | "batchIndex">>;
  signal: AbortSignal | undefined;
};

const NoInput = z.strictObject({});

/** The input of an operation: that of its body, and the fields of its rule. */
export function inputOf<Name extends Operation, Shape extends z.ZodRawShape>(
  name: Name,
  body?: z.ZodObject<Shape>,
): z.ZodObject {
  const rule = ruleOf(name);
  const kinds = "needs" in rule ? [rule.by === undefined ? rule.on : [], rule.in ?? []].flat() : [];
  const fields = Object.fromEntries<z.ZodString | typeof ClientId | typeof Override>([
    ...kinds.map((kind) => [`${kind}PublicId`, idOf(kind, name)] as const),
    ...("creates" in rule ? [["publicId", ClientId] as const] : []),
    ...(bringsCards(rule) ? [["override", Override] as const] : []),
  ]);
  return (body ?? NoInput).safeExtend(fields);
}

/** The id of a kind. A workspace has a slug as well, which can be shorter than the interface allows. */
const idOf = (kind: ResourceKind, name: Operation) =>
  kind === "workspace" && !(name in declaredFailures) ? WorkspaceId : inputId(kind);

/** The parser of an operation's input, as a type. */
export type InputOf<Name extends Operation, Shape extends z.ZodRawShape> = InputParser<
  Shape & RuleFields<Name>
>;
