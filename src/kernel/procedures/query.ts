import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import { authorizeCall, handlerContext, readDeps, versionOf } from "./authorize-call.ts";
import { base } from "./base.ts";
import type { NoFields } from "./types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "./output-schema.ts";

/** An operation that reads: its handler gets the authorized target and a read-only database. */
export const query = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) => {
  const output: OutputSchema = {};
  const procedure = base(name, body).use(async ({ ctx, input, next }) => {
    const { read, reader } = ctx.deps.db;
    const request = { name, input, writes: false, lock: false };
    const authorized = await authorizeCall(read, ctx, request);
    const version = versionOf(authorized, name);
    if (version !== undefined) ctx.responseMeta.version = version;
    const handler = { db: reader, deps: readDeps(ctx) };
    const result = await next({ ctx: handlerContext<Name, typeof handler>(authorized, handler) });
    return visibleResult(result, output, authorized.membership);
  });
  return withOutputSchema(procedure, output);
};
