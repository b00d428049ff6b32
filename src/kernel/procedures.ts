import type { ResourceKind } from "../contract/vocabulary/resource-kinds.ts";
import { z } from "zod";
import { checkPrecondition, type UnitOfWork } from "./unit-of-work.ts";
import type { Reader } from "../platform/db/database.ts";
import type { Query } from "../platform/db/query.ts";
import { actorOf } from "./events/actor.ts";
import { runInTransaction } from "./events/transaction.ts";
import type { EventType } from "../contract/events.ts";
import { persistEvents } from "./events/persist.ts";
import { PublicId } from "../contract/vocabulary/fields.ts";
import type { Context } from "./context.ts";
import { beginning } from "./access/first.ts";
import type { Caller } from "./access/callers.ts";
import { authorize, type Authorized, type Membership } from "./access/authorize.ts";
import { ruleOf, type Operation, type RuleOf } from "../contract/policy.ts";
import { withIdempotency, type SaveResponse } from "./idempotency.ts";
import type { TargetResources } from "./access/resources.ts";

type On<Name extends Operation> = RuleOf<Name>["on"];
type Within<Name extends Operation> =
  RuleOf<Name> extends { in: infer In extends ResourceKind } ? In : never;
type ById<Name extends Operation> =
  RuleOf<Name> extends { by: "slug" } ? never : Extract<On<Name>, ResourceKind>;
type Ids<Name extends Operation> = {
  [Kind in ById<Name> | Within<Name> as `${Kind}PublicId`]: typeof PublicId;
};
type Emits<Name extends Operation> =
  RuleOf<Name> extends { emits: readonly (infer Type extends EventType)[] } ? Type : never;

/** What every handler is given: who calls, and (where the rule names a thing) the thing with all that it lies in. */
type Given<Name extends Operation> =
  On<Name> extends infer Kind extends ResourceKind
    ? { caller: Caller; membership: Membership } & TargetResources<Kind>
    : { caller: On<Name> extends "self" ? Caller : null };
/** A parser of an input; one without required fields may be left out altogether. */
type Accepts<Shape extends z.ZodRawShape> = {
  _input: Record<never, never> extends z.input<z.ZodObject<Shape>>
    ? z.input<z.ZodObject<Shape>> | void
    : z.input<z.ZodObject<Shape>>;
  _output: z.output<z.ZodObject<Shape>>;
  parse: (input: unknown) => z.output<z.ZodObject<Shape>>;
};
type Opens<Name extends Operation> = {
  /** One transaction; what it announces is recorded before it commits. */
  transact: <Result>(run: (tx: UnitOfWork<Emits<Name>>) => Promise<Result>) => Promise<Result>;
};

const Nothing = z.strictObject({});

/** An operation that reads: its handler is given the thing, found and permitted, and `db`, which cannot write. */
export const query = <Name extends Operation, Shape extends z.ZodRawShape = Record<never, never>>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  begin(name, body).use(async ({ ctx, input, next }) => {
    const { read, reader } = ctx.deps.db;
    const permitted = await allowed(read, ctx, { name, input, writes: false, lock: false });
    return next({ ctx: given<Name, { db: Reader }>(permitted, { db: reader }) });
  });

/** An operation that writes: its handler is given the thing, locked, and `work`: one transaction, and the way to announce. */
export const mutation = <
  Name extends Operation,
  Shape extends z.ZodRawShape = Record<never, never>,
>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  begin(name, body).use(({ ctx, input, next }) =>
    withIdempotency(ctx, name, input, (store) =>
      transact(ctx, name, async (tx) => {
        const permitted = await allowed(tx.query, ctx, { name, input, writes: true, lock: true });
        enter(tx, ctx, permitted, name);
        const result = await next({
          ctx: given<Name, { tx: UnitOfWork<Emits<Name>> }>(permitted, { tx }),
        });
        if (!result.ok) throw result.error;
        await persistEvents(tx, actorOf(permitted.caller), ctx.requestMetadata);
        await store(tx.query, result.data, tx.version);
        ctx.responseMeta.version = tx.version;
        return result;
      }),
    ),
  );

/** An operation that talks to the world outside before it answers: permitted as the others are, but it holds no transaction meanwhile; `transact` opens one. */
export const externalMutation = <
  Name extends Operation,
  Shape extends z.ZodRawShape = Record<never, never>,
>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  begin(name, body).use(({ ctx, input, next, type }) => {
    const writes = type === "mutation";
    const { read, reader, write } = ctx.deps.db;
    const call = async (store: SaveResponse) => {
      const permitted = await allowed(read, ctx, { name, input, writes, lock: false });
      if (writes) checkPrecondition(ctx.ifMatch, targetOf(permitted, name)?.["version"]);
      const opens: Opens<Name> = {
        transact: (run) =>
          transact(ctx, name, async (tx: UnitOfWork<Emits<Name>>) => {
            enter(tx, ctx, permitted, name);
            const result = await run(tx);
            await persistEvents(tx, actorOf(permitted.caller), ctx.requestMetadata);
            ctx.responseMeta.version = tx.version;
            return result;
          }),
      };
      const result = await next({
        ctx: given<Name, { db: Reader } & Opens<Name>>(permitted, { db: reader, ...opens }),
      });
      if (!result.ok) throw result.error;
      if (writes) await store(write, result.data, ctx.responseMeta.version);
      return result;
    };
    return writes ? withIdempotency(ctx, name, input, call) : call(async () => undefined);
  });

function begin<Name extends Operation, Shape extends z.ZodRawShape>(
  name: Name,
  body?: z.ZodObject<Shape>,
) {
  const rule = ruleOf(name);
  const kinds = "needs" in rule ? [rule.by === undefined ? rule.on : [], rule.in ?? []].flat() : [];
  const ids = Object.fromEntries(kinds.map((kind) => [`${kind}PublicId`, PublicId]));
  // The ids are made from the rule at run time; the type says the same of the rule's type.
  const schema = (body ?? Nothing).safeExtend(ids) as unknown as Accepts<Shape & Ids<Name>>;
  return beginning(rule.on).meta({ operation: name }).input(schema);
}

const transact = <Name extends Operation, Result>(
  ctx: Context,
  name: Name,
  run: (tx: UnitOfWork<Emits<Name>>) => Promise<Result>,
) => runInTransaction<Emits<Name>, Result>(ctx.deps, ruleOf(name).emits ?? [], run);

async function allowed(
  read: Query,
  ctx: Context,
  asked: Omit<Parameters<typeof authorize>[2], "input"> & { input: unknown },
) {
  // Every input is an object of this shape: `begin` made its schema.
  const input = asked.input as Record<string, unknown>;
  const permitted = await authorize(read, ctx, { ...asked, input });
  ctx.proof.good = true;
  const version = targetOf(permitted, asked.name)?.["version"];
  if (!asked.writes && typeof version === "number") ctx.responseMeta.version = version;
  return permitted;
}

const targetOf = ({ resources }: Authorized, name: Operation) => resources[ruleOf(name).on];

function enter(tx: UnitOfWork, ctx: Context, permitted: Authorized, name: Operation) {
  const version = targetOf(permitted, name)?.["version"];
  checkPrecondition(ctx.ifMatch, version);
  if (typeof version === "number") tx.version = version;
  const workspaceId = permitted.resources["workspace"]?.["id"];
  if (typeof workspaceId === "bigint") tx.workspaceId = workspaceId;
}

function given<Name extends Operation, Extra>(permitted: Authorized, extra: Extra) {
  // `permit` has found exactly the things that the rule's type names.
  return {
    ...permitted.resources,
    caller: permitted.caller,
    membership: permitted.membership,
    ...extra,
  } as unknown as Given<Name> & Extra;
}
