import type { Operation } from "../../contract/policy.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Context } from "../request/context.ts";
import { callOf, isOf, type Call } from "./idempotency-key.ts";
import {
  inFlight,
  isCurrent,
  replay,
  sealedAnswer,
  storableRefusal,
  type Answer,
  type Row,
} from "./idempotency.ts";
import type { OutputSchema } from "./output-schema.ts";

/** The `Idempotency-Key` of a call that is one transaction. */
export type TransactionKey = {
  /** Claims the key for the transaction: its first statement. */
  claim: (query: Query) => Promise<void>;
  /** Stores the answer: its last statement. */
  save: (query: Query, output: unknown) => Promise<void>;
};

/** Rolls the transaction back: an earlier call has used the key. */
class UsedBefore extends Error {
  readonly row: Row;

  constructor(row: Row) {
    super("The Idempotency-Key was used before.");
    this.row = row;
  }
}

const noKey: TransactionKey = {
  claim: () => Promise.resolve(),
  save: () => Promise.resolve(),
};

/**
 * Runs one transaction once per `Idempotency-Key`.
 *
 * The claim is a lock of the transaction and its row is written with the answer, so that a crash
 * frees the key at once.
 */
export async function withTransactionKey<Result>(
  ctx: Context,
  name: Operation,
  input: unknown,
  schema: OutputSchema,
  run: (key: TransactionKey) => Promise<Result>,
): Promise<Result> {
  const call = await callOf(ctx, name, input);
  if (call === undefined) return run(noKey);
  const now = ctx.deps.clock();
  let seen: Date | null = null;
  let isClaimed = false;
  const key: TransactionKey = {
    async claim(query) {
      isClaimed = false;
      const row = await lockKey(query, call);
      if (row !== null && isCurrent(row, now)) throw new UsedBefore(row);
      seen = row?.createdAt ?? null;
      isClaimed = true;
    },
    async save(query, output) {
      const { version, published, isRepresentation } = ctx.responseMeta;
      const answer = { output, version, published, isRepresentation };
      if (await insertAnswer(query, ctx, { call, answer, seen, now })) return;
      isClaimed = false;
      throw inFlight();
    },
  };
  try {
    return await run(key);
  } catch (error) {
    if (error instanceof UsedBefore) return replay<Result>(ctx, call, error.row, schema);
    const answer = isClaimed ? storableRefusal(error) : undefined;
    if (answer !== undefined) {
      await insertAnswer(ctx.deps.db.write, ctx, { call, answer, seen, now });
    }
    throw error;
  }
}

/** Locks a key until the end of the transaction, and reads its row; 409 when it is locked. */
async function lockKey(query: Query, call: Call): Promise<Row | null> {
  const { scope, key } = call;
  // A hint only: the unique index of the rows decides. So the lock need not wait for anyone.
  const [found] = await query<Row & { isLocked: boolean }>(sql`WITH mine AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended(${`${scope} ${key}`}, 0)) AS "isLocked")
    SELECT mine."isLocked", k."requestHash", k.answer, k."createdAt"
    FROM mine LEFT JOIN idempotency_keys k ON ${isOf(call)}`);
  if (found?.isLocked !== true) throw inFlight();
  return found.createdAt === null ? null : found;
}

type Saved = { call: Call; answer: Answer; seen: Date | null; now: Date };

/** Writes an answer, unless another call has written one since the row was read. */
async function insertAnswer(query: Query, ctx: Context, { call, answer, seen, now }: Saved) {
  const rows = await query(sql`INSERT INTO idempotency_keys AS k
      (scope, key, "requestHash", answer, "createdAt")
    VALUES (${call.scope}, ${call.key}, ${call.hash}, ${sealedAnswer(ctx, answer)},
      ${now}::timestamptz)
    ON CONFLICT (scope, key) DO UPDATE SET "requestHash" = EXCLUDED."requestHash",
      answer = EXCLUDED.answer, "createdAt" = EXCLUDED."createdAt"
    WHERE k."createdAt" = ${seen}::timestamptz RETURNING id`);
  return rows.length > 0;
}
