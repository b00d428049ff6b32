import { createHash } from "node:crypto";
import { failure } from "../../platform/errors.ts";
import type { Context } from "../request/context.ts";

/** Digests a body of bytes while the handler reads it; undefined for one that was not read. */
export function digestBody(ctx: Context): () => string | undefined {
  const { requestBody } = ctx;
  if (requestBody === undefined) return () => undefined;
  const hash = createHash("sha256");
  let digest: string | undefined;
  async function* bytes(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
    digest = hash.digest("base64");
  }
  ctx.requestBody = { ...requestBody, bytes: bytes(requestBody.bytes) };
  return () => digest;
}

/** Throws 422 when a body differs from the one whose digest was stored. */
export async function checkBody(
  { requestBody }: Context,
  digest: string | undefined,
): Promise<void> {
  if (requestBody === undefined || digest === undefined) return;
  const hash = createHash("sha256");
  for await (const chunk of requestBody.bytes) hash.update(chunk);
  if (hash.digest("base64") !== digest) throw otherCall();
}

/** The properties of a body of bytes that identify its call before it is read. */
export function sentWith({ requestBody }: Context): unknown[] {
  if (requestBody === undefined) return [];
  const { length, contentType, digest } = requestBody;
  return [length ?? null, contentType ?? null, digest ?? null];
}

/** 422: the key was used for another call. */
export const otherCall = () =>
  failure("idempotency_key_reused", "This Idempotency-Key was used for another call.");
