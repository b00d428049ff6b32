import { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Authorized } from "../access/authorize.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import { inOutgoingTurn } from "../request/outgoing-turn.ts";
import {
  checkStillAuthorized,
  authorizeCall,
  handlerContext,
  prepare,
  versionOf,
} from "../calls/authorize-call.ts";
import { inTransaction } from "../calls/in-transaction.ts";
import { visibleOutput, type OutputSchema } from "../calls/output-schema.ts";
import { givenId } from "../calls/created.ts";
import { checkPrecondition } from "../calls/preconditions.ts";
import { publishEvents } from "../calls/publish.ts";
import type { Emits, HandlerContext, NoFields } from "../calls/types.ts";
import { inFlight, isInFlight } from "../idempotency/claim-key.ts";
import { withIdempotency } from "../idempotency/claimed-call.ts";
import { claimId } from "../idempotency/client-id.ts";
import { Builder, inputOf, type InputOf } from "./builder.ts";
import { callContext } from "./call-context.ts";
import { repeatedAnswer, type Again, type NewIdOf } from "./repeated-create.ts";

/** How the handler of an external mutation opens its transactions. */
export type Transactions<Name extends Operation> = {
  db: DatabaseReader;
  /** Runs one transaction; its events are written before it commits. */
  transact: <Result>(run: (tx: UnitOfWork<Emits<Name>>) => Promise<Result>) => Promise<Result>;
  /**
   * Locks the target in a transaction, authorizes the call again and checks `If-Match`.
   *
   * Returns the target and the caller's membership as they are behind the lock.
   */
  lockTarget: (tx: UnitOfWork) => Promise<HandlerContext<Name>>;
};

type Options<Name extends Operation> = Again<Name, Transactions<Name> & Pick<Context, "deps">> & {
  /** It calls other services, in the caller's turn. */
  callsOut?: true;
};

/**
 * An operation that writes and does slow work outside its transactions, which its handler opens.
 *
 * It calls other services, stores files or hashes passwords. Each transaction authorizes the call
 * again. The id of what it creates stays claimed when it fails.
 */
export const externalMutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
  options?: Options<Name>,
) =>
  new Builder<InputOf<Name, Shape>, HandlerContext<Name> & NewIdOf<Name> & Transactions<Name>>(
    name,
    inputOf(name, body),
    ({ ctx: given, input, output, parse, batchIndex }, handle) => {
      const ctx = callContext(given, batchIndex);
      return withIdempotency(ctx, name, input, output, async ({ saveResponse, checkClaim }) => {
        const { read, write } = ctx.deps.db;
        const request = { name, input, writes: true, lock: false };
        const authorized = await authorizeCall(read, ctx, request);
        checkPrecondition(ctx.ifMatch, versionOf(authorized, name));
        let stored: string | undefined;
        const save = async (query: Query, data: unknown) => {
          await saveResponse(query, data);
          stored = textOf(data);
        };
        const textOf = (data: unknown) => {
          const { version, lastEvent } = ctx.responseMeta;
          return JSON.stringify([data, version, lastEvent]);
        };
        const saveResult = async (tx: UnitOfWork, result: unknown) => {
          if (ctx.idempotencyKey === undefined) return;
          const answer = answerIn(result, output);
          if (answer === undefined) return checkClaim(tx);
          await save(tx.query, visibleOutput(answer.data, output, authorized.membership));
        };
        const check = (query: Query) => checkStillAuthorized(query, ctx, request);
        const transactions = transactionsOf(ctx, { name, input }, authorized, {
          check,
          saveResult,
        });
        const claim = (query: Query) => claimId(query, ctx, request, authorized);
        const newId = await (givenId(input) === undefined
          ? claim(read)
          : ctx.deps.db.transact((_, query) => claim(query)));
        ctx.responseMeta.version = newId.version;
        const added = { ...transactions, newId: newId.publicId };
        // The type of the id is that of the rule.
        const context = handlerContext<Name, typeof added>(
          authorized,
          added,
        ) as HandlerContext<Name> & NewIdOf<Name> & Transactions<Name>;
        const run = async () =>
          (await repeatedAnswer({ ...ctx, ...context }, newId, options)) ?? handle(context);
        const result = parse(await (options?.callsOut ? inOutgoingTurn(ctx, run) : run()));
        const data = visibleOutput(result, output, authorized.membership);
        const isStored = ctx.idempotencyKey === undefined || textOf(data) === stored;
        if (!isStored) await save(write, data);
        return data;
      });
    },
  );

/** An operation that reads and calls other services; it may write a renewed credential. */
export const externalQuery = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  new Builder<InputOf<Name, Shape>, HandlerContext<Name> & { db: DatabaseReader }>(
    name,
    inputOf(name, body),
    async ({ ctx, input, output, parse }, handle) => {
      const { read, reader } = ctx.deps.db;
      const request = { name, input, writes: false, lock: false };
      const authorized = await authorizeCall(read, ctx, request);
      const handler = { db: reader };
      const result = await inOutgoingTurn(ctx, () =>
        handle(handlerContext<Name, typeof handler>(authorized, handler)),
      );
      return visibleOutput(parse(result), output, authorized.membership);
    },
  );

/** What each transaction does first, and last. */
type Around = {
  /** Throws when the caller may no longer make the call. */
  check: (query: Query) => Promise<void>;
  /** Stores the answer in the transaction that makes it: a crash leaves both or neither. */
  saveResult: (tx: UnitOfWork, result: unknown) => Promise<void>;
};

/** A result that the output schema accepts, as the answer. */
function answerIn(result: unknown, { schema }: OutputSchema) {
  const parsed = schema === undefined ? undefined : z.safeParse(schema, result);
  return parsed?.success === true ? { data: parsed.data } : undefined;
}

function transactionsOf<Name extends Operation>(
  ctx: Context,
  { name, input }: { name: Name; input: unknown },
  authorized: Authorized,
  { check, saveResult }: Around,
): Transactions<Name> {
  return {
    db: ctx.deps.db.reader,
    async transact(run) {
      const { result, published } = await inTransaction(ctx, name, async (tx) => {
        await check(tx.query);
        prepare(tx, ctx, authorized, name);
        const returned = await run(tx);
        const publishing = await publishEvents(tx, ctx, authorized.caller);
        await saveResult(tx, returned);
        return { result: returned, ...publishing };
      }).catch((error: unknown) => {
        throw isInFlight(error) ? inFlight() : error;
      });
      ctx.responseMeta.published = await published;
      return result;
    },
    async lockTarget(tx) {
      const request = { name, input, writes: true, lock: true };
      const locked = await authorizeCall(tx.query, ctx, request);
      prepare(tx, ctx, locked, name);
      return handlerContext<Name, object>(locked, {});
    },
  };
}
