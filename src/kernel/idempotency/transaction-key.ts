import type { NamedCall } from "../calls/types.ts";
import { isKeyTaken } from "../../platform/db/database-errors.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import { isOf, keyedCall, scopeOf, scopeSql, type ScopedCall } from "./key.ts";
import { inFlight, isInFlight } from "./claim-key.ts";
import { replayResponse, sealedAnswer, storableRefusal, type CallOutcome } from "./claimed-call.ts";
import { currentSince, isCurrent, isOver, type StoredCallRow } from "./answer-age.ts";
import type { OutputSchema } from "../calls/output-schema.ts";

/** The `Idempotency-Key` of a call that is one transaction. */
export type TransactionKey = {
  /** Claims the key for the transaction: its first statement. */
  claim: (tx: UnitOfWork) => Promise<void>;
  /** Stores the answer: its last statement. */
  save: (tx: UnitOfWork, output: unknown) => void;
};

/** Rolls the transaction back: an earlier call has used the key. */
class UsedBefore extends Error {}

/** Stands in for the key of a call that has none. */
export const noKey: TransactionKey = {
  claim: () => Promise.resolve(),
  save: () => undefined,
};

/**
 * Runs one transaction once per `Idempotency-Key`.
 *
 * The claim is a lock of the transaction. Its row is written with the answer. So a crash frees the
 * key at once.
 */
export async function withTransactionKey(
  ctx: Context,
  namedCall: NamedCall,
  schema: OutputSchema,
  run: (key: TransactionKey) => Promise<unknown>,
): Promise<unknown> {
  const keyed = keyedCall(ctx, namedCall);
  if (keyed === undefined) return run(noKey);
  const now = ctx.deps.clock();
  let isClaimed = false;
  let scope = "";
  const key: TransactionKey = {
    async claim({ query }) {
      isClaimed = false;
      const { answered, claimed } = currentSince(now);
      const [row] = await query<{ scope: string | null; isFree: boolean }>(sql`
        SELECT mine.scope, claim_idempotency_key(mine.scope, ${keyed.key},
          ${answered}::timestamptz, ${claimed}::timestamptz) AS "isFree"
        FROM (SELECT ${scopeSql(ctx)} AS scope) mine`);
      if (row?.isFree !== true) throw new UsedBefore();
      scope = row.scope ?? "";
      isClaimed = true;
    },
    save(tx, output) {
      const { version, lastEvent } = ctx.responseMeta;
      const answer = { output, version, lastEvent };
      void tx.query(insertAnswer(ctx, { ...keyed, scope }, answer, now));
    },
  };
  try {
    return await run(key);
  } catch (error) {
    if (error instanceof UsedBefore)
      return replayed(ctx, { ...keyed, scope: await scopeOf(ctx) }, now, schema);
    if (isInFlight(error) || isKeyTaken(error)) throw inFlight();
    const answer = isClaimed ? storableRefusal(error) : undefined;
    if (answer !== undefined) {
      const insert = insertAnswer(ctx, { ...keyed, scope }, answer, now);
      await ctx.deps.db.write(sql`${insert} ${unlessCurrent(now)}`);
    }
    throw error;
  }
}

async function replayed(ctx: Context, call: ScopedCall, now: Date, schema: OutputSchema) {
  const [row] = await ctx.deps.db.read<StoredCallRow>(
    sql`SELECT "requestHash", answer, "createdAt" FROM idempotency_keys WHERE ${isOf(call)}`,
  );
  if (row === undefined || !isCurrent(row, now)) throw inFlight();
  return replayResponse(ctx, call, row, schema);
}

/** SQL: writes an answer; it fails when another call has written one. */
const insertAnswer = (
  ctx: Context,
  { scope, key, hash }: ScopedCall,
  answer: CallOutcome,
  now: Date,
) =>
  sql`INSERT INTO idempotency_keys AS k (scope, key, "requestHash", answer, "createdAt")
    VALUES (${scope}, ${key}, ${hash}, ${sealedAnswer(ctx, answer)}, ${now}::timestamptz)`;

/** SQL: ends that statement so that it keeps the valid answer of another call. */
const unlessCurrent = (now: Date) =>
  sql`ON CONFLICT (scope, key) DO UPDATE SET "requestHash" = EXCLUDED."requestHash",
      answer = EXCLUDED.answer, "createdAt" = EXCLUDED."createdAt" WHERE ${isOver(now)}`;
