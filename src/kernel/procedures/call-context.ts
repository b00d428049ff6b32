import { badRequest } from "../../platform/errors.ts";
import type { Context } from "../request/context.ts";

/**
 * The context of one call of a request; 400 for an invalid key.
 *
 * The calls of an HTTP batch run at the same time: each has its own response metadata, and
 * stores the version and the events of no other call. Call n has the key `key:n`.
 */
export function callContext(ctx: Context, batchIndex: number): Context {
  const { idempotencyKey: key } = ctx;
  // The key of a call in an HTTP batch may be longer than the key that was sent.
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw badRequest(
      "idempotency_key_invalid",
      "Idempotency-Key must be 1 to 255 printable characters.",
    );
  }
  if (ctx.httpBatch === undefined) return ctx;
  const idempotencyKey = key === undefined ? undefined : `${key}:${batchIndex}`;
  return { ...ctx, idempotencyKey, responseMeta: {} };
}
