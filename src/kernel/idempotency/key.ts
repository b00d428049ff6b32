import { createHmac } from "node:crypto";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { Failure } from "../../platform/errors.ts";
import { credentialExpired } from "../access/authorize.ts";
import { callerWith } from "../access/callers.ts";
import { findCaller } from "../access/find-caller.ts";
import type { Context } from "../request/context.ts";
import { sentWith } from "./body-digest.ts";
import type { NamedCall } from "../calls/types.ts";

/** A call with a key: the caller's scope, the key and a hash of the input. */
export type ScopedCall = NamedCall & { scope: string; key: string; hash: string };

/** SQL: the row of a call. */
export const isOf = ({ scope, key }: ScopedCall): Sql => sql`scope = ${scope} AND key = ${key}`;

/** The key of a call; undefined without one, and in a batch, which has one key. */
export function keyedCall(
  ctx: Context,
  { name, input }: NamedCall,
): Omit<ScopedCall, "scope"> | undefined {
  const { idempotencyKey: key, deps } = ctx;
  if (key === undefined || ctx.joined !== undefined) return undefined;
  const hash = createHmac("sha256", deps.replaySecret)
    .update(JSON.stringify([name, input, ...sentWith(ctx)]))
    .digest("hex");
  return { key, hash, name, input };
}

/** The scope of a key: the caller, or the client address of a public operation. */
export async function scopeOf({ credential, deps, requestMetadata }: Context): Promise<string> {
  if (credential instanceof Failure) return `public:${requestMetadata.ip}`;
  const caller = await findCaller(deps.db.read, credential, deps.clock());
  if (caller === null) throw credentialExpired();
  return caller.key === null ? `user:${caller.userId}` : `key:${caller.key.id}`;
}

/** SQL: the scope of a key; NULL for an invalid credential. */
export function scopeSql({ credential, deps, requestMetadata }: Context): Sql {
  if (credential instanceof Failure) return sql`${`public:${requestMetadata.ip}`}::text`;
  const scope =
    credential.kind === "apiKey"
      ? sql`'key:' || caller."key.id"`
      : sql`'user:' || caller."caller.userId"`;
  return sql`(SELECT ${scope} FROM (${callerWith(credential, deps.clock())}) caller)`;
}
