import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import { authorizeCall, handlerContext } from "../calls/authorize-call.ts";
import { base } from "./base.ts";
import { inOutgoingTurn } from "../request/outgoing-turn.ts";
import { manualMutation } from "./external-mutation.ts";
import type { NoFields } from "../calls/types.ts";
import { visibleResult, withOutputSchema, type OutputSchema } from "../calls/output-schema.ts";

/** An operation that reads and calls other services; it may write a renewed credential. */
export const externalQuery = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) => {
  const output: OutputSchema = {};
  const procedure = base(name, body).use(async ({ ctx, input, next }) => {
    const { read, reader } = ctx.deps.db;
    const request = { name, input, writes: false, lock: false };
    const authorized = await authorizeCall(read, ctx, request);
    const handler = { db: reader };
    const result = await inOutgoingTurn(ctx, () =>
      next({ ctx: handlerContext<Name, typeof handler>(authorized, handler) }),
    );
    return visibleResult(result, output, authorized.membership);
  });
  return withOutputSchema(procedure, output);
};

/** An operation that writes and calls other services, outside its transactions. */
export const externalMutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) => manualMutation(name, body, { callsOut: true, waits: true });

/** An operation that writes and uses the storage, outside its transactions. */
export const storageMutation = <Name extends Operation, Shape extends z.ZodRawShape = NoFields>(
  name: Name,
  body?: z.ZodObject<Shape>,
) => manualMutation(name, body, { waits: true });
