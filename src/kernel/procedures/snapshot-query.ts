import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { Query } from "../../platform/db/query.ts";
import { cursorsOf } from "../events/cursor.ts";
import { positionOfSnapshot } from "../events/log.ts";
import type { Context } from "../request/context.ts";
import { authorizeCall, handlerContext, versionOf } from "./authorize-call.ts";
import { base } from "./base.ts";
import type { HandlerContext, Ids, NoFields } from "./types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "./output-schema.ts";

/** How a snapshot query reads. */
type Reading<Name extends Operation, Input, Found> = {
  /** Reads what the handler gets as `found`. */
  read: (query: Query, ctx: HandlerContext<Name> & { now: Date }, input: Input) => Promise<Found>;
  /** Whether the answer is so large that callers take turns. */
  isLarge: (ctx: HandlerContext<Name>) => boolean;
};

/**
 * An operation that reads one snapshot and names its point of the workspace's log, as `cursor`.
 *
 * The caller is authorized in the same snapshot. Its connection is free before the handler runs.
 */
export const snapshotQuery = <
  Name extends Operation,
  Found,
  Shape extends z.ZodRawShape = NoFields,
>(
  name: Name,
  body: z.ZodObject<Shape>,
  { read, isLarge }: Reading<Name, z.output<z.ZodObject<Shape & Ids<Name>>>, Found>,
) => {
  const output: OutputSchema = {};
  const procedure = base(name, body).use(async ({ ctx, input, next }) => {
    const { deps, responseMeta } = ctx;
    const attempt = (hasTurn: boolean) =>
      deps.db.readSnapshot(async (query) => {
        const request = { name, input, writes: false, lock: false };
        const authorized = await authorizeCall(query, ctx, request);
        const target = handlerContext<Name, { now: Date }>(authorized, { now: deps.clock() });
        if (!hasTurn && isLarge(target)) return { authorized };
        const [found, cursor] = await Promise.all([
          read(query, target, input),
          cursorOf(query, ctx, authorized.resources["workspace"]?.["id"]),
        ]);
        return { authorized, read: { found, cursor } };
      });
    const first = await attempt(false);
    const who = `user ${first.authorized.caller?.publicId}`;
    const { authorized, read: result } =
      first.read === undefined ? await deps.largeReads.run(who, () => attempt(true)) : first;
    if (result === undefined) throw new Error("The snapshot was not read.");
    responseMeta.version = versionOf(authorized, name);
    responseMeta.feedCursor = result.cursor;
    const handled = await next({ ctx: handlerContext<Name, typeof result>(authorized, result) });
    return visibleResult(handled, output, authorized.membership);
  });
  return withOutputSchema(procedure, output);
};

/** The cursor of the snapshot in the log of a workspace. */
async function cursorOf(query: Query, { deps }: Context, workspaceId: unknown): Promise<string> {
  if (typeof workspaceId !== "bigint") throw new Error("A snapshot is of a workspace.");
  const { position, at } = await positionOfSnapshot(query, workspaceId);
  const cursors = cursorsOf(deps.seal, workspaceId, deps.config.EVENT_DAYS);
  return cursors.write(position, at ?? deps.clock());
}
