import type { z } from "zod";
import { ruleOf, type Operation } from "../../contract/policy.ts";
import type { Reader } from "../../platform/db/database.ts";
import type { Authorized } from "../access/authorize.ts";
import { runInTransaction } from "../events/transaction.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import { authorizeCall, handlerContext, prepare, versionOf } from "./authorize-call.ts";
import { base } from "./base.ts";
import { callContext } from "./batch-call.ts";
import { withIdempotency } from "./idempotency.ts";
import { claimId } from "./new-id.ts";
import { checkPrecondition } from "./preconditions.ts";
import { publishEvents } from "./publish.ts";
import type { Emits, NewResource, NoFields } from "./types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "./output-schema.ts";

/** Locks the target in a transaction, authorizes the call again and checks `If-Match`. */
export type LockTarget = (tx: UnitOfWork) => Promise<void>;

/** How a handler opens its transactions. */
export type ManualTransactions<Name extends Operation> = {
  db: Reader;
  /** Runs one transaction; its events are written before it commits. */
  transact: <Result>(run: (tx: UnitOfWork<Emits<Name>>) => Promise<Result>) => Promise<Result>;
  lockTarget: LockTarget;
  /** The id for what the operation creates. It stays claimed when the operation fails later. */
  claimId: () => Promise<NewResource<Name>>;
};

/**
 * An operation that writes and opens its own transactions.
 *
 * For locks in an order of its own, for slow computations before the transaction, and for writes
 * that outlast a refusal.
 */
export const manualMutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) => {
  const output: OutputSchema = {};
  const procedure = base(name, body).use(({ ctx: given, input, next, batchIndex }) => {
    const ctx = callContext(given, batchIndex);
    return withIdempotency(ctx, name, input, output, async (saveResponse) => {
      const { read, write } = ctx.deps.db;
      const request = { name, input, writes: true, lock: false };
      const authorized = await authorizeCall(read, ctx, request);
      checkPrecondition(ctx.ifMatch, versionOf(authorized, name));
      const transactions = transactionsOf(ctx, name, input, authorized);
      const full = await next({
        ctx: handlerContext<Name, typeof transactions>(authorized, transactions),
      });
      if (!full.ok) throw full.error;
      const result = visibleResult(full, output, authorized.membership);
      await saveResponse(write, result.data);
      return result;
    });
  });
  return withOutputSchema(procedure, output);
};

function transactionsOf<Name extends Operation>(
  ctx: Context,
  name: Name,
  input: unknown,
  authorized: Authorized,
): ManualTransactions<Name> {
  return {
    db: ctx.deps.db.reader,
    transact: (run) =>
      runInTransaction(ctx.deps, ruleOf(name).emits ?? [], async (tx: UnitOfWork<Emits<Name>>) => {
        prepare(tx, ctx, authorized, name);
        const result = await run(tx);
        await publishEvents(tx, ctx, authorized.caller);
        return result;
      }),
    async lockTarget(tx) {
      const request = { name, input, writes: true, lock: true };
      prepare(tx, ctx, await authorizeCall(tx.query, ctx, request), name);
    },
    claimId: () =>
      ctx.deps.db.transact(
        // The kind of the existing resource is that of the rule, as in its type.
        (_, query) =>
          claimId(query, ctx, { name, input }, authorized) as Promise<NewResource<Name>>,
      ),
  };
}
