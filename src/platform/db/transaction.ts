import type pg from "pg";
import type { Prisma } from "./generated/client.ts";
import { beginFailure, sqlState, withAvailability } from "./database-errors.ts";
import type { JoinedTransaction } from "./lazy-prisma.ts";
import { queryRows, send, sendWithin } from "./prepared-query.ts";
import type { Query } from "./query.ts";
import { sql, type Sql } from "./sql.ts";
import { nothingWritten, type WrittenAmount } from "./written.ts";

/** Prisma's models inside one transaction. Other statements are `sql`. */
export type PrismaTransaction = Omit<Prisma.TransactionClient, `$${string}`>;

/** A function that runs in a transaction, with models and statements, and what they write. */
export type InTransaction<Result> = (
  prisma: PrismaTransaction,
  query: Query,
  written: WrittenAmount,
) => Promise<Result>;

// The connections of the pool are read-only by default.
const begin = sql`BEGIN READ WRITE`;
const commit = sql`COMMIT`;
const longStatementMs = 60_000;

/**
 * Runs `run` in one transaction on a connection of the pool.
 *
 * BEGIN travels with the first statement, and COMMIT with those whose results are not awaited. A
 * statement that fails makes COMMIT a ROLLBACK, or skips it; its error is the transaction's.
 */
export async function runTransaction<Result>(
  pool: pg.Pool,
  join: (client: pg.PoolClient, written: WrittenAmount) => JoinedTransaction,
  run: InTransaction<Result>,
): Promise<Result> {
  return withConnection(pool, async (client, lost) => {
    const written = nothingWritten();
    const { prisma, leaveTransaction } = join(client, written);
    const statements = pipelineOf(client, written);
    try {
      statements.run(begin).catch(() => undefined);
      const result = await run(prisma, statements.query, written);
      await leaveTransaction();
      const { command } = await statements.run(commit);
      await statements.last();
      const error = lost() ?? statements.failed();
      if (error !== undefined) throw error;
      if (command !== "COMMIT") throw new Error("A statement failed, and its error was ignored.");
      return result;
    } catch (error) {
      await leaveTransaction().catch(lost);
      await client.query("ROLLBACK").catch(lost);
      const cause = statements.failed() ?? error;
      if (isBroken(cause)) lost(cause);
      throw error;
    }
  });
}

/** Gives each later statement of a transaction a minute, for operations on whole boards. */
export const allowLongStatements = sql`SELECT
  set_config('statement_timeout', ${String(longStatementMs)}, true),
  set_config('idle_in_transaction_session_timeout', ${String(longStatementMs)}, true)`;

/**
 * Whether a connection cannot be used again after an error of a statement.
 *
 * `pg` takes a statement for prepared when it is sent, but PostgreSQL skips it after an error.
 */
const isBroken = (error: unknown): error is Error => sqlState(error) !== "";

/**
 * The statements of a transaction, which travel without waiting for each other.
 *
 * After a failed statement PostgreSQL refuses the rest, so the first error is the error of all.
 * `failed` returns it, and `last` waits for the last statement.
 */
function pipelineOf(client: pg.PoolClient, written?: WrittenAmount) {
  let first: unknown;
  let last: Promise<unknown> = Promise.resolve();
  const failed = (error?: unknown) => (first ??= error);
  let isLong = false;
  const run = <Row>(statement: Sql) => {
    if (statement === allowLongStatements) isLong = true;
    const sending = isLong
      ? sendWithin<Row>(client, statement, { written, longMs: longStatementMs })
      : send<Row>(client, statement, { written });
    const response = sending.catch((error: unknown) => {
      throw failed(statement === begin ? beginFailure(error) : error);
    });
    last = response.catch(() => undefined);
    return response;
  };
  const query: Query = <Row>(statement: Sql) => {
    const rows = run<Row>(statement).then((response) => response.rows);
    // The transaction fails with the error: a handler need not wait for each statement.
    rows.catch(() => undefined);
    return rows;
  };
  return { run, query, failed, last: () => last };
}

export const beginSnapshot = sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;

/**
 * Runs reads in one snapshot on a connection of the pool.
 *
 * BEGIN travels with the first statement, and the result does not wait for COMMIT: the snapshot
 * costs no round trip.
 */
export async function runSnapshot<Result>(
  pool: pg.Pool,
  run: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let first: Error | undefined;
  const lost = (error: Error) => void (first ??= error);
  client.on("error", lost);
  const statements = pipelineOf(client);
  statements.run(beginSnapshot).catch(lost);
  const end = async () => {
    await client.query("COMMIT").catch(lost);
    client.off("error", lost);
    client.release(first);
  };
  try {
    return await run(statements.query);
  } catch (error) {
    if (isBroken(error)) lost(error);
    throw error;
  } finally {
    void end();
  }
}

/** Runs one statement that writes in its own transaction, in one round trip. */
export async function runStatement<Row>(pool: pg.Pool, statement: Sql): Promise<Row[]> {
  return withConnection(pool, async (client, lost) => {
    const [began, outcome, ended] = await Promise.allSettled([
      send(client, begin, {}),
      send<Row>(client, statement, {}),
      client.query("COMMIT"),
    ]);
    if (began.status === "rejected") {
      const failure = beginFailure(began.reason);
      throw lost(failure) ?? failure;
    }
    if (ended.status === "rejected") lost(ended.reason);
    if (outcome.status === "rejected") {
      lost(outcome.reason);
      throw outcome.reason;
    }
    if (ended.status === "rejected") throw ended.reason;
    return outcome.value.rows;
  });
}

/**
 * Runs read-only statements on one connection, each in its own transaction.
 *
 * A connection with an error is closed: it may be lost before it reports that itself.
 */
export const runTogether = <Result>(pool: pg.Pool, run: (query: Query) => Promise<Result>) =>
  withConnection(pool, (client, lost) =>
    run(<Row>(statement: Sql) =>
      withAvailability(() =>
        queryRows<Row>(client, statement).catch((error: Error) => {
          lost(error);
          throw error;
        }),
      ),
    ),
  );

/** Lends a connection. `lost` records an error and returns the first; then it is closed. */
async function withConnection<Result>(
  pool: pg.Pool,
  use: (client: pg.PoolClient, lost: (error?: Error) => Error | undefined) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let first: Error | undefined;
  const lost = (error?: Error) => (first ??= error);
  // The pool does not report the loss of a connection in use.
  client.on("error", lost);
  try {
    return await use(client, lost);
  } finally {
    client.off("error", lost);
    client.release(first);
  }
}
