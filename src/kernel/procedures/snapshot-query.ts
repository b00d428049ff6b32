import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { Query } from "../../platform/db/query.ts";
import { positionAfter } from "../events/cursor.ts";
import { endOfLog } from "../events/log.ts";
import { workspaceLog } from "../events/logs.ts";
import { timeZoneFor } from "../time-zones.ts";
import { readLarge } from "../request/expensive-work.ts";
import type { Authorized, Membership } from "../access/authorize.ts";
import { authorizeCall, versionOf } from "../invocation/authorize-call.ts";
import { Builder, inputOf, type InputOf } from "./builder.ts";
import {
  cachedOr,
  confirm,
  findCached,
  responseKeyOf,
  revalidationOf,
  showAndStore,
  revalidatedBy,
  workspaceIdOf,
} from "./cached-responses.ts";
import type { HandlerContext, NoFields, RuleFields } from "../invocation/types.ts";

/** The target of a call, without its caller, because callers share the answer. */
type Target<Name extends Operation> = Omit<HandlerContext<Name>, "caller" | "membership">;
/** The time of a call, the time zone of its days, and the caller if the answer is not shared. */
type Time = {
  now: Date;
  timeZone: string;
  viewer: Pick<Membership, "publicId" | "may"> | null;
};

/** The properties of a snapshot query's answers. */
type SnapshotRead<Name extends Operation, Input> = {
  /** Whether the answer is so large that callers take turns. */
  isLarge: (target: Target<Name>) => boolean;
  /** Whether the answer to an input changes by events alone, and not with time. */
  isTimeless: (input: Input) => boolean;
};

/** What a snapshot query adds to the context of its handler. */
type Reads<Name extends Operation> = Target<Name> & Time & { query: Query };

/**
 * An operation that reads one snapshot and names its point of the workspace's log, as `cursor`.
 *
 * The caller is authorized in the same snapshot. Its connection is free before the answer is made.
 * An answer in memory costs one statement, which authorizes the caller and says whether the answer
 * is current. The output schema is not run on what the handler returns: a test compares them.
 */
export const snapshotQuery = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body: z.ZodObject<Shape>,
  reading: SnapshotRead<Name, z.output<z.ZodObject<Shape & RuleFields<Name>>>>,
) =>
  new Builder<InputOf<Name, Shape>, Reads<Name>, "cursor">(
    name,
    inputOf(name, body),
    async ({ ctx, input, named, output }, handle) => {
      const { deps, responseMeta } = ctx;
      const { counts } = deps.responses;
      const request = { ...named, writes: false, lock: false };
      const key = reading.isTimeless(input) ? responseKeyOf(ctx, request) : undefined;
      const attempt = (hasTurn: boolean) =>
        deps.db.readSnapshot(async (query) => {
          const revalidation = key && revalidationOf(deps, key);
          const authorized = await authorizeCall(query, ctx, {
            ...request,
            extra: revalidation?.statement,
          });
          // The target is found by the rule at run time; the type derives the same from its type.
          const isShared = key !== undefined;
          const time = {
            now: deps.clock(),
            timeZone: timeZoneOf(authorized, isShared),
            viewer: isShared ? null : authorized.membership,
          };
          const target = { ...authorized.resources, ...time, query } as unknown as Reads<Name>;
          if (!hasTurn && reading.isLarge(target)) return { authorized };
          const row = revalidatedBy(authorized);
          const [result, position] = await Promise.all([
            // Its output schema is that of an object.
            handle(target) as Promise<object>,
            row === undefined
              ? endOfLog(query, workspaceLog(workspaceIdOf(authorized)))
              : positionAfter(row),
          ]);
          const cached = key && confirm(deps, key.target, revalidation?.cached, row);
          return { authorized, read: { authorized, result, position, cached } };
        });
      const readAndStore = async () => {
        const first = await attempt(false);
        const { authorized, read } =
          first.read === undefined ? await readLarge(ctx, () => attempt(true)) : first;
        if (read === undefined) throw new Error("The snapshot was not read.");
        if (key !== undefined) counts.misses++;
        responseMeta.version = versionOf(authorized, name);
        return { data: showAndStore(ctx, key, read, output) };
      };
      const find = async () => key && findCached(ctx, request, key, output);
      const { data } = await cachedOr(
        deps.responses,
        key && `${key.target} ${key.input}`,
        find,
        readAndStore,
      );
      return data;
    },
  );

/** A shared answer never depends on the time zone of its caller. */
function timeZoneOf({ caller, resources }: Authorized, isShared: boolean): string {
  const timeZone = resources["workspace"]?.["timeZone"];
  const workspace = { timeZone: typeof timeZone === "string" ? timeZone : null };
  return timeZoneFor(isShared ? null : caller, workspace);
}
