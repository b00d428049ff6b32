import { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { Query } from "../../platform/db/query.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import {
  authorizeHere,
  authorizeCall,
  handlerContext,
  prepare,
  versionOf,
  type CallRequest,
} from "../invocation/authorize-call.ts";
import { inTransaction } from "../invocation/in-transaction.ts";
import { visibleOutput, type OutputSchema } from "../invocation/output-schema.ts";
import { clientIdIn } from "../invocation/created.ts";
import { checkPrecondition } from "../invocation/preconditions.ts";
import { publishEvents } from "../invocation/publish.ts";
import type { Emits, HandlerContext, NoFields, RuleFields } from "../invocation/types.ts";
import { inFlight, isInFlight } from "../idempotency/claim.ts";
import { withKey } from "../idempotency/keyed-call.ts";
import { claimId } from "../idempotency/client-id.ts";
import { Builder, inputOf, type InputOf } from "./builder.ts";
import {
  checkReplay,
  hasBeforeLock,
  lockTarget,
  runHandler,
  type OnReplay,
  type BeforeLock,
  type OptionsOf,
  type Writes,
} from "./writes.ts";

/** How the handler of an external mutation opens its transactions. */
type Transactions<Name extends Operation> = {
  db: DatabaseReader;
  /**
   * Runs one transaction; its events are written before it commits.
   *
   * It authorizes the call again and locks the target, which `run` gets as it is then.
   */
  transact: <Result>(
    run: (tx: UnitOfWork<Emits<Name>>, target: HandlerContext<Name>) => Promise<Result>,
  ) => Promise<Result>;
};

type Options<Name extends Operation, Shape extends z.ZodRawShape> = BeforeLock<
  Name,
  z.output<z.ZodObject<Shape & RuleFields<Name>>>,
  void
> &
  OnReplay<Name, Transactions<Name> & Pick<Context, "deps">> & {
    /** It calls other services, in the caller's turn. */
    callsOut?: true;
  };

/**
 * An operation that writes and does slow work outside its transactions, which its handler opens.
 *
 * It calls other services, stores files or hashes passwords. The id of what it creates stays
 * claimed when it fails.
 */
export const externalMutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
  ...[options]: OptionsOf<Name, Options<Name, Shape>>
) => {
  checkReplay(name, options);
  return new Builder<InputOf<Name, Shape>, Writes<Name> & Transactions<Name>>(
    name,
    inputOf(name, body),
    ({ ctx, named, output, parse }, handle) =>
      withKey(ctx, named, output, "call", async (key) => {
        const { read, write, reader } = ctx.deps.db;
        const request = { ...named, writes: true, lock: false };
        const authorized = await authorizeCall(read, ctx, request);
        checkPrecondition(ctx.ifMatch, versionOf(authorized, name));
        let storedText: string | undefined;
        const save = async (query: Query, data: unknown) => {
          await key.save(query, data);
          storedText = textOf(data);
        };
        const textOf = (data: unknown) => {
          const { version, lastEvent } = ctx.responseMeta;
          return JSON.stringify([data, version, lastEvent]);
        };
        const saveResult = async (tx: UnitOfWork, result: unknown) => {
          if (ctx.idempotencyKey === undefined) return;
          const response = responseIn(result, output);
          if (response === undefined) return key.hold(tx);
          await save(tx.query, visibleOutput(response.data, output, authorized.membership));
        };
        const transact = transactionsOf<Name>(ctx, request, options, saveResult);
        const claim = (query: Query) => claimId(query, ctx, request, authorized);
        const newId = await (clientIdIn(named.input) === undefined
          ? claim(read)
          : ctx.deps.db.transact((_, query) => claim(query)));
        ctx.responseMeta.version = newId.version;
        const added = { db: reader, transact };
        const run = () => runHandler(ctx, authorized, newId, added, options, handle);
        const result = parse(await (options?.callsOut ? inOutgoingTurn(ctx, run) : run()));
        const data = visibleOutput(result, output, authorized.membership);
        const isStored = ctx.idempotencyKey === undefined || textOf(data) === storedText;
        if (!isStored) await save(write, data);
        return data;
      }),
  );
};

/** An operation that reads and calls other services; it may write a renewed credential. */
export const externalQuery = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  new Builder<InputOf<Name, Shape>, HandlerContext<Name> & { db: DatabaseReader }>(
    name,
    inputOf(name, body),
    async ({ ctx, named, output, parse }, handle) => {
      const { read, reader } = ctx.deps.db;
      const request = { ...named, writes: false, lock: false };
      const authorized = await authorizeCall(read, ctx, request);
      const handler = { db: reader };
      const result = await inOutgoingTurn(ctx, () =>
        handle(handlerContext<Name, typeof handler>(authorized, handler)),
      );
      return visibleOutput(parse(result), output, authorized.membership);
    },
  );

/** A result that the output schema accepts, as the answer. */
function responseIn(result: unknown, { schema }: OutputSchema) {
  const parsed = schema === undefined ? undefined : z.safeParse(schema, result);
  return parsed?.success === true ? { data: parsed.data } : undefined;
}

/** Opens transactions for a handler; each also saves the answer: a crash leaves both or neither. */
function transactionsOf<Name extends Operation>(
  ctx: Context,
  request: CallRequest,
  options: Parameters<typeof lockTarget>[4],
  saveResult: (tx: UnitOfWork, result: unknown) => Promise<void>,
): Transactions<Name>["transact"] {
  const callRequest = { ...request, lock: !hasBeforeLock(options, request.input) };
  return async (run) => {
    const { result, published } = await inTransaction(ctx, request.name as Name, async (tx) => {
      const first = await authorizeHere(tx.query, ctx, callRequest);
      prepare(tx, ctx, first, request.name);
      const { authorized } = await lockTarget(tx, ctx, callRequest, first, options);
      const returned = await run(tx, handlerContext<Name, object>(authorized, {}));
      const publishing = await publishEvents(tx, ctx, request, authorized.caller);
      await saveResult(tx, returned);
      return { result: returned, ...publishing };
    }).catch((error: unknown) => {
      throw isInFlight(error) ? inFlight() : error;
    });
    ctx.responseMeta.published = await published;
    return result;
  };
}

/** Calls other services in the caller's turn: they may take a minute to answer. */
const inOutgoingTurn = <Result>(
  { deps, client }: Pick<Context, "deps" | "client">,
  call: () => Promise<Result>,
): Promise<Result> => deps.outgoingTurns.run(client, call);
