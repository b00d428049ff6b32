import { createHmac } from "node:crypto";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { Failure } from "../../platform/errors.ts";
import { callerWith } from "../access/callers.ts";
import { isKey } from "../access/credential.ts";
import type { Context } from "../request/context.ts";
import { sentWith } from "./body-digest.ts";
import type { NamedCall } from "../invocation/types.ts";

/** A call with a key, and a digest of its operation and input. */
export type KeyedCall = NamedCall & { key: string; request: Uint8Array };

/** A call whose key is claimed: the digest of its scope and key. */
export type ClaimedCall = KeyedCall & { digest: Uint8Array };

/** How many bytes of a digest are stored. */
const digestBytes = 16;

/** The key of a call; undefined without one, and in a batch, which has one key. */
export function keyedCall(ctx: Context, { name, input }: NamedCall): KeyedCall | undefined {
  const { idempotencyKey: key, deps } = ctx;
  if (key === undefined || ctx.joined !== undefined) return undefined;
  const digest = createHmac("sha256", deps.replaySecret)
    .update(JSON.stringify([name, input, ...sentWith(ctx)]))
    .digest();
  return { key, request: digest.subarray(0, digestBytes), name, input };
}

/** SQL: the scope of a key: the caller, or the client address of a public operation. */
export function scopeSql({ credential, deps, requestMetadata }: Context): Sql {
  if (credential instanceof Failure) return sql`${`public:${requestMetadata.ip}`}::text`;
  const scope = isKey(credential)
    ? sql`'key:' || caller."key.id"`
    : sql`'user:' || caller."caller.userId"`;
  return sql`(SELECT ${scope} FROM (${callerWith(credential, deps.clock())}) caller)`;
}
