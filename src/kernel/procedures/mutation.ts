import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { authorizeCall, handlerContext, prepare } from "../calls/authorize-call.ts";
import { base } from "./base.ts";
import { callContext } from "./call-context.ts";
import { inTransaction } from "../calls/in-transaction.ts";
import { withTransactionKey } from "../idempotency/transaction-key.ts";
import { claimId } from "../idempotency/client-id.ts";
import { publishEvents } from "../calls/publish.ts";
import type { Emits, NewResource, NoFields } from "../calls/types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "../calls/output-schema.ts";

/** An operation that writes: its handler gets the locked target and one transaction, `tx`. */
export const mutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) => {
  const output: OutputSchema = {};
  const procedure = base(name, body)
    .meta({ joins: true, output })
    .use(({ ctx: given, input, next, batchIndex }) => {
      const ctx = callContext(given, batchIndex);
      const request = { name, input, writes: true, lock: true };
      const perform = async (tx: UnitOfWork<Emits<Name>>, claimed: Promise<void>) => {
        const authorizing = authorizeCall(tx.query, ctx, request);
        authorizing.catch(() => undefined);
        await claimed;
        const authorized = await authorizing;
        prepare(tx, ctx, authorized, name);
        const { version, ...newId } = await claimId(tx.query, ctx, request, authorized.caller);
        if (version !== undefined) tx.version = version;
        // The kind of the existing resource is that of the rule, as in its type.
        const created = newId as NewResource<Name>;
        const extra = { tx, created };
        const handler = handlerContext<Name, typeof extra>(authorized, extra);
        const full = await next({ ctx: handler });
        if (!full.ok) throw full.error;
        const { published } = await publishEvents(tx, ctx, authorized.caller);
        return { result: visibleResult(full, output, authorized.membership), published };
      };
      return withTransactionKey(ctx, name, input, output, async (key) => {
        ctx.responseMeta.published = undefined;
        const { result, published } = await inTransaction(ctx, name, async (tx) => {
          const performed = await perform(tx, key.claim(tx));
          key.save(tx, performed.result.data);
          return performed;
        });
        ctx.responseMeta.published = await published;
        return result;
      });
    });
  return withOutputSchema(procedure, output);
};
