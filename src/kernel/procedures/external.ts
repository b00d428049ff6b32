import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import { authorizeCall, handlerContext } from "./authorize-call.ts";
import { base } from "./base.ts";
import { manualMutation } from "./manual-mutation.ts";
import type { NoFields } from "./types.ts";

/** An operation that reads and calls other services; it may write a renewed credential. */
export const externalQuery = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) =>
  base(name, body).use(async ({ ctx, input, next }) => {
    const { read, reader } = ctx.deps.db;
    const request = { name, input, writes: false, lock: false };
    const authorized = await authorizeCall(read, ctx, request);
    const handler = { db: reader };
    return next({ ctx: handlerContext<Name, typeof handler>(authorized, handler) });
  });

/** An operation that writes and calls other services or the storage, outside its transactions. */
export const externalMutation = manualMutation;
