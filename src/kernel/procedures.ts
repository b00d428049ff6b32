import type { ResourceKind } from "../contract/vocabulary/resource-kinds.ts";
import { z } from "zod";
import { checkVersion, type Work } from "./unit-of-work.ts";
import type { Reader } from "../platform/db/database.ts";
import type { Query } from "../platform/db/query.ts";
import { actorOf } from "./events/actor.ts";
import { announcing } from "./events/transaction.ts";
import type { EventType } from "../contract/events.ts";
import { record } from "./events/persist.ts";
import { PublicId } from "../contract/vocabulary/fields.ts";
import type { Context } from "./context.ts";
import { beginning } from "./access/first.ts";
import type { Caller } from "./access/callers.ts";
import { permit, type Permitted, type Standing } from "./access/authorize.ts";
import { ruleOf, type Operation, type RuleOf } from "../contract/policy.ts";
import { replaying, type Store } from "./idempotency.ts";
import type { Located } from "./access/resources.ts";

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
    ? { caller: Caller; standing: Standing } & Located<Kind>
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
  transact: <Result>(run: (work: Work<Emits<Name>>) => Promise<Result>) => Promise<Result>;
};

const Nothing = z.strictObject({});

/** An operation that reads: its handler is given the thing, found and permitted, and `db`, which cannot write. */
export const mayRead = <Name extends Operation, Shape extends z.ZodRawShape = Record<never, never>>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  begin(name, body).use(async ({ ctx, input, next }) => {
    const { read, reader } = ctx.deps.db;
    const permitted = await allowed(read, ctx, { name, input, writes: false, lock: false });
    return next({ ctx: given<Name, { db: Reader }>(permitted, { db: reader }) });
  });

/** An operation that writes: its handler is given the thing, locked, and `work`: one transaction, and the way to announce. */
export const mayWrite = <
  Name extends Operation,
  Shape extends z.ZodRawShape = Record<never, never>,
>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  begin(name, body).use(({ ctx, input, next }) =>
    replaying(ctx, name, input, (store) =>
      transact(ctx, name, async (work) => {
        const permitted = await allowed(work.query, ctx, { name, input, writes: true, lock: true });
        enter(work, ctx, permitted, name);
        const result = await next({
          ctx: given<Name, { work: Work<Emits<Name>> }>(permitted, { work }),
        });
        if (!result.ok) throw result.error;
        await record(work, actorOf(permitted.caller), ctx.origin);
        await store(work.query, result.data, work.version);
        ctx.reply.version = work.version;
        return result;
      }),
    ),
  );

/** An operation that talks to the world outside before it answers: permitted as the others are, but it holds no transaction meanwhile; `transact` opens one. */
export const mayReach = <
  Name extends Operation,
  Shape extends z.ZodRawShape = Record<never, never>,
>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  begin(name, body).use(({ ctx, input, next, type }) => {
    const writes = type === "mutation";
    const { read, reader } = ctx.deps.db;
    const call = async (store: Store) => {
      const permitted = await allowed(read, ctx, { name, input, writes, lock: false });
      if (writes) checkVersion(ctx.ifMatch, targetOf(permitted, name)?.["version"]);
      const opens: Opens<Name> = {
        transact: (run) =>
          transact(ctx, name, async (work: Work<Emits<Name>>) => {
            enter(work, ctx, permitted, name);
            const result = await run(work);
            await record(work, actorOf(permitted.caller), ctx.origin);
            ctx.reply.version = work.version;
            return result;
          }),
      };
      const result = await next({
        ctx: given<Name, { db: Reader } & Opens<Name>>(permitted, { db: reader, ...opens }),
      });
      if (!result.ok) throw result.error;
      if (writes) await store(read, result.data, ctx.reply.version);
      return result;
    };
    return writes ? replaying(ctx, name, input, call) : call(async () => undefined);
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
  run: (work: Work<Emits<Name>>) => Promise<Result>,
) => announcing<Emits<Name>, Result>(ctx.deps, ruleOf(name).emits ?? [], run);

async function allowed(
  query: Query,
  ctx: Context,
  asked: Omit<Parameters<typeof permit>[2], "input"> & { input: unknown },
) {
  // Every input is an object of this shape: `begin` made its schema.
  const input = asked.input as Record<string, unknown>;
  const permitted = await permit(query, ctx, { ...asked, input });
  ctx.proof.good = true;
  const version = targetOf(permitted, asked.name)?.["version"];
  if (!asked.writes && typeof version === "number") ctx.reply.version = version;
  return permitted;
}

const targetOf = ({ things }: Permitted, name: Operation) => things[ruleOf(name).on];

function enter(work: Work, ctx: Context, permitted: Permitted, name: Operation) {
  const version = targetOf(permitted, name)?.["version"];
  checkVersion(ctx.ifMatch, version);
  if (typeof version === "number") work.version = version;
  const workspaceId = permitted.things["workspace"]?.["id"];
  if (typeof workspaceId === "bigint") work.workspaceId = workspaceId;
}

function given<Name extends Operation, Extra>(permitted: Permitted, extra: Extra) {
  // `permit` has found exactly the things that the rule's type names.
  return {
    ...permitted.things,
    caller: permitted.caller,
    standing: permitted.standing,
    ...extra,
  } as unknown as Given<Name> & Extra;
}
