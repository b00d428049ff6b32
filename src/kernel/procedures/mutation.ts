import type { z } from "zod";
import { ruleOf, type Operation } from "../../contract/policy.ts";
import { runInTransaction } from "../events/transaction.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { authorizeCall, handlerContext, prepare } from "./authorize-call.ts";
import { base } from "./base.ts";
import { withIdempotency } from "./idempotency.ts";
import { claimId } from "./new-id.ts";
import { publishEvents } from "./publish.ts";
import type { Emits, NewResource, NoFields } from "./types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "./output-schema.ts";

/** An operation that writes: its handler gets the locked target and one transaction, `tx`. */
export const mutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) => {
  const output: OutputSchema = {};
  const procedure = base(name, body).use(({ ctx, input, next }) =>
    withIdempotency(ctx, name, input, output, (saveResponse) =>
      runInTransaction(ctx.deps, ruleOf(name).emits ?? [], async (tx: UnitOfWork<Emits<Name>>) => {
        ctx.responseMeta.published = undefined;
        const request = { name, input, writes: true, lock: true };
        const authorized = await authorizeCall(tx.query, ctx, request);
        prepare(tx, ctx, authorized, name);
        // The kind of the existing resource is that of the rule, as in its type.
        const created = (await claimId(tx.query, ctx, request, authorized)) as NewResource<Name>;
        const extra = { tx, created };
        const handler = handlerContext<Name, typeof extra>(authorized, extra);
        const full = await next({ ctx: handler });
        if (!full.ok) throw full.error;
        const result = visibleResult(full, output, authorized.membership);
        await publishEvents(tx, ctx, authorized.caller);
        await saveResponse(tx.query, result.data);
        return result;
      }),
    ),
  );
  return withOutputSchema(procedure, output);
};
