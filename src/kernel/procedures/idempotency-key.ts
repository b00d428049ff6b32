import { createHmac } from "node:crypto";
import type { Operation } from "../../contract/policy.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { badRequest, Failure } from "../../platform/errors.ts";
import { credentialExpired } from "../access/authorize.ts";
import { findCaller } from "../access/resolve-target.ts";
import type { Context } from "../request/context.ts";
import { sentWith } from "./body-digest.ts";
import type { RepeatedCall } from "./replay.ts";

/** A call with a key: the caller's scope, the key and a hash of the input. */
export type Call = RepeatedCall & { scope: string; key: string; hash: string };

/** SQL: the row of a call. */
export const isOf = ({ scope, key }: Call): Sql => sql`scope = ${scope} AND key = ${key}`;

/** Identifies a call by its key; undefined without one, and in a batch, which has one key. */
export async function callOf(
  ctx: Context,
  name: Operation,
  input: unknown,
): Promise<Call | undefined> {
  const { idempotencyKey: key, deps } = ctx;
  if (key === undefined || ctx.joined !== undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw badRequest(
      "idempotency_key_invalid",
      "Idempotency-Key must be 1 to 255 printable characters.",
    );
  }
  const hash = createHmac("sha256", deps.replaySecret)
    .update(JSON.stringify([name, input, ...sentWith(ctx)]))
    .digest("hex");
  return { scope: await scopeOf(ctx), key, hash, name, input };
}

/** The scope of a key: the caller, or the client address of a public operation. */
async function scopeOf({ credential, deps, requestMetadata }: Context): Promise<string> {
  if (credential instanceof Failure) return `public:${requestMetadata.ip}`;
  const caller = await findCaller(deps.db.read, credential, deps.clock());
  if (caller === null) throw credentialExpired();
  return caller.key === null ? `user:${caller.userId}` : `key:${caller.key.id}`;
}
