import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { authorizeCall, handlerContext, prepare } from "../calls/authorize-call.ts";
import { inTransaction } from "../calls/in-transaction.ts";
import { visibleOutput } from "../calls/output-schema.ts";
import { publishEvents } from "../calls/publish.ts";
import type { Emits, HandlerContext, NoFields } from "../calls/types.ts";
import { withTransactionKey } from "../idempotency/transaction-key.ts";
import { claimId } from "../idempotency/client-id.ts";
import type { Context } from "../request/context.ts";
import { callContext } from "./call-context.ts";
import { Builder, inputOf, type InputOf } from "./builder.ts";
import { repeatedAnswer, type Again, type NewIdOf } from "./repeated-create.ts";

/** What a mutation adds to the context of its handler. */
type Writes<Name extends Operation> = HandlerContext<Name> &
  NewIdOf<Name> & {
    tx: UnitOfWork<Emits<Name>>;
    /** Locks the target, authorizes the call again and checks `If-Match`. */
    lockTarget: () => Promise<HandlerContext<Name>>;
  };

type Options<Name extends Operation> = Again<Name, { tx: UnitOfWork } & Pick<Context, "deps">> & {
  /** The handler locks other rows before its target, and then calls `lockTarget`. */
  locksFirst?: true;
};

/**
 * An operation that writes: its handler gets the locked target and one transaction, `tx`.
 *
 * It can be part of a batch.
 */
export const mutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
  options?: Options<Name>,
) =>
  new Builder<InputOf<Name, Shape>, Writes<Name>>(
    name,
    inputOf(name, body),
    ({ ctx: given, input, output, parse, batchIndex }, handle) => {
      const ctx = callContext(given, batchIndex);
      const request = { name, input, writes: true, lock: options?.locksFirst !== true };
      const perform = async (tx: UnitOfWork<Emits<Name>>, claimed: Promise<void>) => {
        const authorizing = authorizeCall(tx.query, ctx, request);
        authorizing.catch(() => undefined);
        await claimed;
        const authorized = await authorizing;
        prepare(tx, ctx, authorized, name);
        const lockTarget = async () => {
          const locked = await authorizeCall(tx.query, ctx, { ...request, lock: true });
          prepare(tx, ctx, locked, name);
          return handlerContext<Name, object>(locked, {});
        };
        const newId = await claimId(tx.query, ctx, request, authorized);
        if (newId.version !== undefined) tx.version = newId.version;
        // The type of the id is that of the rule.
        const added = { tx, lockTarget, newId: newId.publicId };
        const context = handlerContext<Name, typeof added>(authorized, added) as Writes<Name>;
        const result =
          (await repeatedAnswer({ ...ctx, ...context }, newId, options)) ?? (await handle(context));
        const data = parse(result);
        const { published } = await publishEvents(tx, ctx, authorized.caller);
        return { data: visibleOutput(data, output, authorized.membership), published };
      };
      return withTransactionKey(ctx, name, input, output, async (key) => {
        ctx.responseMeta.published = undefined;
        const { data, published } = await inTransaction(ctx, name, async (tx) => {
          const performed = await perform(tx, key.claim(tx));
          key.save(tx, performed.data);
          return performed;
        });
        ctx.responseMeta.published = await published;
        return data;
      });
    },
    { joins: true },
  );
