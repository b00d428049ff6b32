import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { authorizeCall, handlerContext, prepare } from "./authorize-call.ts";
import { base } from "./base.ts";
import { callContext } from "./batch-call.ts";
import { inTransaction } from "./in-transaction.ts";
import { withTransactionKey } from "./keyed-transaction.ts";
import { claimId } from "./new-id.ts";
import type { PrefetchReads } from "../access/prefetched-reads.ts";
import type { Query } from "../../platform/db/query.ts";
import { publishEvents } from "./publish.ts";
import { represent, type Representation } from "./representation.ts";
import type { Emits, Ids, NewResource, NoFields } from "./types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "./output-schema.ts";

/**
 * Reads what a handler needs, with statements that travel with the one that locks the target.
 *
 * They run behind the lock, and before anyone knows whether the caller is authorized: the handler
 * gets their result only if so. A lock that they take must come after the target's in the order.
 */
type ReadEarly<Shape extends z.ZodRawShape, Early> = (
  query: Query,
  input: z.output<z.ZodObject<Shape>>,
) => Promise<Early>;

/** An operation that writes: its handler gets the locked target and one transaction, `tx`. */
export const mutation = <
  Name extends Operation,
  Shape extends z.ZodRawShape = NoFields,
  Early = undefined,
>(
  name: Name,
  body?: z.ZodObject<Shape>,
  representation?: Representation,
  readEarly?: ReadEarly<Shape & Ids<Name>, Early>,
  prefetchReads?: PrefetchReads<Early>,
) => {
  const output: OutputSchema = { representation: representation?.schema };
  const procedure = base(name, body)
    .meta({ represents: representation?.schema, joins: true, prefetchReads, output })
    .use(({ ctx: given, input, next, batchIndex }) => {
      const ctx = callContext(given, batchIndex);
      const { prefetched } = ctx.joined ?? {};
      const found = prefetched?.target;
      const request = { name, input, writes: true, lock: true, found };
      const perform = async (tx: UnitOfWork<Emits<Name>>, claimed: Promise<void>) => {
        const authorizing = authorizeCall(tx.query, ctx, request);
        // `prefetchReads` has the type of `readEarly`.
        const known = prefetched?.early(input) as Early | undefined;
        const early = known === undefined ? readEarly?.(tx.query, input) : Promise.resolve(known);
        for (const sent of [authorizing, early]) sent?.catch(() => undefined);
        await claimed;
        const authorized = await authorizing;
        prepare(tx, ctx, authorized, name);
        const { version, ...newId } = await claimId(tx.query, ctx, request, authorized.caller);
        if (version !== undefined) tx.version = version;
        // The kind of the existing resource is that of the rule, as in its type.
        const created = newId as NewResource<Name>;
        const read = authorized.isLate ? readEarly?.(tx.query, input) : early;
        read?.catch(() => undefined);
        const extra = { tx, created, early: read as Promise<Early> };
        const handler = handlerContext<Name, typeof extra>(authorized, extra);
        const full = await next({ ctx: handler });
        if (!full.ok) throw full.error;
        const ids = { resources: authorized.resources, created };
        const readLast = () => represent(tx.query, ctx, request, ids, representation);
        const { published, last } = await publishEvents(tx, ctx, authorized.caller, readLast);
        const result =
          last === undefined
            ? visibleResult(full, output, authorized.membership)
            : { ...full, data: last };
        return { result, published };
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
