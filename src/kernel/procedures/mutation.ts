import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { authorizeClaimed } from "../invocation/authorize-call.ts";
import { inTransaction } from "../invocation/in-transaction.ts";
import { visibleOutput } from "../invocation/output-schema.ts";
import { publishEvents } from "../invocation/publish.ts";
import type { Emits, NoFields, RuleFields } from "../invocation/types.ts";
import { withKey } from "../idempotency/keyed-call.ts";
import { claimId } from "../idempotency/client-id.ts";
import type { Context } from "../request/context.ts";
import { Builder, inputOf, type InputOf } from "./builder.ts";
import {
  checkReplay,
  checkOverride,
  hasBeforeLock,
  lockTarget,
  runHandler,
  type OnReplay,
  type BeforeLock,
  type OptionsOf,
  type Writes,
} from "./writes.ts";

type Options<Name extends Operation, Shape extends z.ZodRawShape, Before> = BeforeLock<
  Name,
  z.output<z.ZodObject<Shape & RuleFields<Name>>>,
  Before
> &
  OnReplay<Name, { tx: UnitOfWork } & Pick<Context, "deps">>;

/**
 * An operation that writes: its handler gets the locked target and one transaction, `tx`.
 *
 * It can be part of a batch.
 */
export const mutation = <
  Name extends Operation,
  Shape extends z.ZodRawShape = NoFields,
  Before = undefined,
>(
  name: Name,
  body?: z.ZodObject<Shape>,
  ...[options]: OptionsOf<Name, Options<Name, Shape, Before>>
) => {
  checkReplay(name, options);
  type Added = Writes<Name> & { tx: UnitOfWork<Emits<Name>>; before: Before };
  return new Builder<InputOf<Name, Shape>, Added>(
    name,
    inputOf(name, body),
    ({ ctx, named, output, parse }, handle) => {
      const lock = !hasBeforeLock(options, named.input);
      const request = { ...named, writes: true, lock };
      const perform = async (tx: UnitOfWork<Emits<Name>>, claimed: Promise<void>) => {
        const first = await authorizeClaimed(tx, ctx, request, claimed);
        const { authorized, before } = await lockTarget(tx, ctx, request, first, options);
        checkOverride(tx, request, authorized);
        const newId = await claimId(tx.query, ctx, request, authorized);
        if (newId.version !== undefined) tx.version = newId.version;
        const added = { tx, before };
        const data = parse(await runHandler(ctx, authorized, newId, added, options, handle));
        const { published } = await publishEvents(tx, ctx, named, authorized.caller);
        return { data: visibleOutput(data, output, authorized.membership), published };
      };
      return withKey(ctx, named, output, "transaction", async (key) => {
        ctx.responseMeta.published = undefined;
        const { data, published } = await inTransaction(ctx, name, async (tx) => {
          const performed = await perform(tx, key.hold(tx));
          void key.save(tx.query, performed.data);
          return performed;
        });
        ctx.responseMeta.published = await published;
        return data;
      });
    },
    { joins: true },
  );
};
