import type { z } from "zod";
import { ruleOf } from "../../contract/policy.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type { Query } from "../../platform/db/query.ts";
import { authorizeBy, type Authorized, type Membership } from "../access/authorize.ts";
import type { Caller } from "../access/callers.ts";
import { filterOutput, requiredToView } from "../access/filter-output.ts";
import type { TargetResources } from "../access/resources.ts";
import type { Context } from "../request/context.ts";
import type { ReadDeps } from "../request/deps.ts";
import type { CallRequest } from "./authorize-call.ts";

/** A resource after a write, with what a reader of it gets. */
export type WrittenTarget<Kind extends ResourceKind> = TargetResources<Kind> & {
  caller: Caller;
  membership: Membership;
  deps: ReadDeps;
};

/** The whole resource of a write, for callers who send `Prefer: return=representation`. */
export type Representation = {
  kind: ResourceKind;
  schema: z.ZodType;
  read: (query: Query, written: object) => unknown;
};

/** Describes how the resource of a kind is read after a write. */
export const representation = <Kind extends ResourceKind, Schema extends z.ZodType>(
  kind: Kind,
  schema: Schema,
  read: (query: Query, written: WrittenTarget<Kind>) => z.input<Schema> | Promise<z.input<Schema>>,
): Representation => ({
  kind,
  schema,
  // `represent` finds a resource of this kind at run time.
  read: (query, written) => read(query, written as WrittenTarget<Kind>),
});

/** The ids of what a call has written. */
type WrittenIds = { resources: Authorized["resources"]; created: { publicId: string } };

/** Reads the whole resource after a write; undefined when it is not asked for, or not visible. */
export async function represent(
  query: Query,
  ctx: Context,
  { name }: Pick<CallRequest, "name">,
  { resources, created }: WrittenIds,
  asked: Representation | undefined,
): Promise<unknown> {
  if (asked === undefined || !ctx.prefersRepresentation) return undefined;
  const { kind, schema, read } = asked;
  const rule = ruleOf(name);
  const isNew = "creates" in rule && rule.creates === kind;
  const publicId = isNew ? created.publicId : resources[kind]?.["publicId"];
  const input = { [`${kind}PublicId`]: publicId };
  const request = { input, writes: false, lock: false };
  const found = await authorizeBy(query, ctx, { on: kind, needs: "member" }, request);
  const { caller, membership } = found;
  if (membership === null) return undefined;
  for (const permission of requiredToView(schema)) {
    if (!membership.may.has(permission)) return undefined;
  }
  const written = { ...found.resources, caller, membership, deps: ctx.deps };
  const output = schema.parse(await read(query, written));
  ctx.responseMeta.isRepresentation = true;
  return filterOutput(schema, output, membership.may);
}
