import { sqlState } from "../../platform/db/database-errors.ts";
import type { Query } from "../../platform/db/query.ts";
import { failure } from "../../platform/errors.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Context } from "../request/context.ts";
import type { Deps } from "../request/deps.ts";
import { scopeSql, type ClaimedCall, type KeyedCall } from "./key.ts";

/** How long a stored response is replayed. */
const replayMs = 24 * 60 * 60 * 1000;

/** After this time without a renewal a claim is over, also when its process seems to run. */
const claimMs = 60_000;

/** An earlier call has the key of this digest. */
export class UsedBefore extends Error {
  readonly digest: Uint8Array;

  constructor(digest: Uint8Array) {
    super("An earlier call has the key.");
    this.digest = digest;
  }
}

/** 409: the first call has not ended. */
export const inFlight = () =>
  failure(
    "idempotency_key_in_flight",
    "A call with this Idempotency-Key is still in flight. Repeat it later.",
  );

/** Whether a statement failed because another call has the key. */
export const isInFlight = (error: unknown): boolean => sqlState(error) === "WB001";

/**
 * Claims a key for a transaction: no other has it until this one ends. Null for a caller whose
 * credential is invalid; throws `UsedBefore`.
 *
 * A stored response is void after a day, and a claim without one when its process has ended.
 */
export async function claimKey(
  query: Query,
  ctx: Context,
  { key }: KeyedCall,
): Promise<Uint8Array | null> {
  const now = ctx.deps.clock().getTime();
  const [row] = await query<{ digest: Uint8Array | null; isFree: boolean }>(sql`
    SELECT mine.digest, claim_idempotency_key(mine.digest,
      ${new Date(now - replayMs)}::timestamptz, ${new Date(now - claimMs)}::timestamptz) AS "isFree"
    FROM (SELECT idempotency_digest(${scopeSql(ctx)}, ${key}) AS digest OFFSET 0) mine`);
  const digest = row?.digest ?? null;
  if (digest !== null && row?.isFree !== true) throw new UsedBefore(digest);
  return digest;
}

/** SQL: stores the claim of a call of several transactions, which names this process. */
export const insertClaim = (
  { digest, request }: ClaimedCall,
  process: number | null,
  now: Date,
): Sql => sql`INSERT INTO idempotency_keys (digest, request, "lockedBy", "createdAt")
  VALUES (${digest}, ${request}, ${lockedBy(process)}, ${now}::timestamptz) RETURNING id`;

/** SQL: locks the claim for the transaction; it fails when another call has taken the key. */
export const lockClaim = (id: bigint): Sql => sql`SELECT lock_idempotency_claim(${id})`;

/** Renews a claim while its call runs; the returned function stops that. */
export function renewClaim({ db, clock, log }: Deps, id: bigint): () => void {
  const renew = async () => {
    const holder = lockedBy(await db.processLock.number());
    await db.write(
      sql`UPDATE idempotency_keys SET "createdAt" = ${clock()}::timestamptz, "lockedBy" = ${holder}
        WHERE id = (SELECT id FROM idempotency_keys WHERE id = ${id} AND response IS NULL
          FOR UPDATE SKIP LOCKED)`,
    );
  };
  const start = () =>
    void renew().catch((error: unknown) => log.warn({ err: error }, "a claim was not renewed"));
  const timer = setInterval(start, claimMs / 3);
  timer.unref();
  // The lock of this process has a new number after its connection was lost.
  const ignoreLosses = db.processLock.onLost(start);
  return () => {
    clearInterval(timer);
    ignoreLosses();
  };
}

/** SQL: the number of a process; NULL for one that the server does not have. */
const lockedBy = (process: number | null): Sql =>
  sql`CASE WHEN is_process_alive(${process}::int) THEN ${process}::int END`;
