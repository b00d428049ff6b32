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
import { base } from "./base.ts";
import { callContext } from "./call-context.ts";
import { inTransaction } from "../calls/in-transaction.ts";
import { inFlight, isInFlight } from "../idempotency/claim-key.ts";
import { withIdempotency } from "../idempotency/claimed-call.ts";
import { claimId } from "../idempotency/client-id.ts";
import { checkPrecondition } from "../calls/preconditions.ts";
import { publishEvents } from "../calls/publish.ts";
import type { Emits, HandlerContext, NewResource, NoFields } from "../calls/types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "../calls/output-schema.ts";

/**
 * Locks the target in a transaction, authorizes the call again and checks `If-Match`.
 *
 * Returns the target and the caller's membership as they are behind the lock.
 */
export type LockTarget<Name extends Operation = Operation> = (
  tx: UnitOfWork,
) => Promise<HandlerContext<Name>>;

/** How a handler opens its transactions. */
export type ManualTransactions<Name extends Operation> = {
  db: DatabaseReader;
  /** Runs one transaction; its events are written before it commits. */
  transact: <Result>(run: (tx: UnitOfWork<Emits<Name>>) => Promise<Result>) => Promise<Result>;
  lockTarget: LockTarget<Name>;
  /** The id for what the operation creates. It stays claimed when the operation fails later. */
  claimId: () => Promise<NewResource<Name>>;
};

/**
 * An operation that writes and opens its own transactions.
 *
 * For locks in an order of its own, for slow computations before the transaction, and for writes
 * that outlast a refusal. One with `joins` opens a single transaction, also that of a batch. One
 * with `callsOut` calls other services, in the caller's turn. One with `waits` takes as long as a
 * client or another service likes: each of its transactions authorizes the call again.
 */
export const manualMutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
  { joins, callsOut, waits }: { joins?: true; callsOut?: true; waits?: true } = {},
) => {
  const output: OutputSchema = {};
  const procedure = base(name, body)
    .meta(joins === undefined ? {} : { joins, output })
    .use(({ ctx: given, input, next, batchIndex }) => {
      const ctx = callContext(given, batchIndex);
      return withIdempotency(ctx, name, input, output, async ({ saveResponse, checkClaim }) => {
        const { write } = ctx.deps.db;
        const read = ctx.joined?.query ?? ctx.deps.db.read;
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
          await save(tx.query, visibleResult(answer, output, authorized.membership).data);
        };
        const check = async (query: Query) => {
          if (waits) await checkStillAuthorized(query, ctx, request);
        };
        const transactions = transactionsOf(ctx, { name, input }, authorized, {
          check,
          saveResult,
        });
        const handle = () =>
          next({ ctx: handlerContext<Name, typeof transactions>(authorized, transactions) });
        const full = await (callsOut ? inOutgoingTurn(ctx, handle) : handle());
        if (!full.ok) throw full.error;
        const result = visibleResult(full, output, authorized.membership);
        const isStored = ctx.idempotencyKey === undefined || textOf(result.data) === stored;
        if (!isStored) await save(write, result.data);
        return result;
      });
    });
  return withOutputSchema(procedure, output);
};

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
  return parsed?.success === true ? { ok: true, data: parsed.data } : undefined;
}

function transactionsOf<Name extends Operation>(
  ctx: Context,
  { name, input }: { name: Name; input: unknown },
  authorized: Authorized,
  { check, saveResult }: Around,
): ManualTransactions<Name> {
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
    async claimId() {
      const call = { name, input };
      const { version, ...newId } = await ctx.deps.db.transact((_, query) =>
        claimId(query, ctx, call, authorized.caller),
      );
      ctx.responseMeta.version = version;
      // The kind of the existing resource is that of the rule, as in its type.
      return newId as NewResource<Name>;
    },
  };
}
