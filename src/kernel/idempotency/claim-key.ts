import { sqlState } from "../../platform/db/database-errors.ts";
import { failure } from "../../platform/errors.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Deps } from "../request/deps.ts";
import { claimMs, isOver, type StoredCallRow } from "./answer-age.ts";
import { isOf, type ScopedCall } from "./key.ts";

/** A claimed key: the id of its row. A later claim of the same key has another id. */
export type ClaimedKey = { id: bigint };

/** 409: the first call has not ended. */
export const inFlight = () =>
  failure(
    "idempotency_key_in_flight",
    "A call with this Idempotency-Key is still in flight. Repeat it later.",
  );

/** Whether a statement failed because another call has the key. */
export const isInFlight = (error: unknown): boolean => sqlState(error) === "WB001";

/**
 * Claims a key for a call of several transactions, or returns what an earlier call has stored.
 *
 * The claim names this process. It is over when the process ends, or 60 s after its last renewal.
 */
export async function claimKey(
  { db, clock }: Deps,
  call: ScopedCall,
): Promise<ClaimedKey | StoredCallRow> {
  const { scope, key, hash } = call;
  const { write } = db;
  const now = clock();
  const holder = lockedBy(await db.processLock.number());
  const [claim] = await write<ClaimedKey>(
    sql`INSERT INTO idempotency_keys (scope, key, "requestHash", "lockedBy", "createdAt")
      VALUES (${scope}, ${key}, ${hash}, ${holder}, ${now}::timestamptz)
      ON CONFLICT (scope, key) DO NOTHING RETURNING id`,
  );
  if (claim !== undefined) return claim;
  const [row] = await write<StoredCallRow & { isOver: boolean }>(
    sql`SELECT k."requestHash", k.answer, k."createdAt", ${isOver(now)} AS "isOver"
      FROM idempotency_keys k WHERE ${isOf(call)}`,
  );
  if (row === undefined) throw inFlight();
  if (!row.isOver) return row;
  // The new id is how the earlier call, if it still runs, finds that its claim is lost.
  const [takeover] = await write<ClaimedKey>(
    sql`UPDATE idempotency_keys SET id = DEFAULT, "requestHash" = ${hash}, answer = NULL,
        "lockedBy" = ${holder}, "createdAt" = ${now}::timestamptz
      WHERE id = (SELECT k.id FROM idempotency_keys k WHERE ${isOf(call)} AND ${isOver(now)}
        FOR UPDATE SKIP LOCKED) RETURNING id`,
  );
  if (takeover === undefined) throw inFlight();
  return takeover;
}

/** SQL: locks the claim for the transaction; it fails when another call has taken the key. */
export const lockClaim = (id: bigint): Sql => sql`SELECT lock_idempotency_claim(${id})`;

/** Renews a claim while its call runs; the returned function stops that. */
export function renewClaim({ db, clock, log }: Deps, id: bigint): () => void {
  const renew = async () => {
    const holder = lockedBy(await db.processLock.number());
    await db.write(
      sql`UPDATE idempotency_keys SET "createdAt" = ${clock()}::timestamptz, "lockedBy" = ${holder}
        WHERE id = (SELECT id FROM idempotency_keys WHERE id = ${id} AND answer IS NULL
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
