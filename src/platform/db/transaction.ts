import type pg from "pg";
import type { Prisma } from "./generated/client.ts";
import { isStale, withAvailability } from "./database-errors.ts";
import type { JoinedTransaction } from "./lazy-prisma.ts";
import { queryRows } from "./prepared-query.ts";
import type { Query } from "./query.ts";
import type { Sql } from "./sql.ts";
import { nothingWritten, type Written } from "./written.ts";

/** Prisma inside one transaction. */
export type PrismaTransaction = Prisma.TransactionClient;

/** A function that runs in a transaction, with models and statements, and what they write. */
export type InTransaction<Result> = (
  prisma: PrismaTransaction,
  query: Query,
  written: Written,
) => Promise<Result>;

// The connections of the pool are read-only by default.
const begin = "BEGIN READ WRITE";

/**
 * Runs `run` in one transaction on a connection of the pool.
 *
 * BEGIN travels with the first statement, and COMMIT with those whose results are not awaited. A
 * statement that fails makes COMMIT a ROLLBACK, and its error is the transaction's.
 */
export async function runTransaction<Result>(
  pool: pg.Pool,
  join: (client: pg.PoolClient, written: Written) => JoinedTransaction,
  run: InTransaction<Result>,
): Promise<Result> {
  return withConnection(pool, async (client, lost) => {
    const written = nothingWritten();
    const { prisma, leaveTransaction } = join(client, written);
    const statements = pipelineOf(client, written);
    try {
      client.query(begin).catch(statements.failed);
      const result = await run(prisma, statements.query, written);
      await leaveTransaction();
      const { command } = await client.query("COMMIT");
      await statements.last();
      const error = lost() ?? statements.failed();
      if (error !== undefined) throw error;
      if (command !== "COMMIT") throw new Error("A statement failed, and its error was ignored.");
      return result;
    } catch (error) {
      await leaveTransaction().catch(lost);
      await client.query("ROLLBACK").catch(lost);
      if (isStale(error)) lost(error);
      throw error;
    }
  });
}

/**
 * The statements of a transaction.
 *
 * After one that failed, PostgreSQL says only that the transaction is aborted: the error of the
 * first one is the error of all. `failed` returns it, and `last` waits for the last statement.
 */
function pipelineOf(client: pg.PoolClient, written?: Written) {
  let first: unknown;
  let last: Promise<unknown> = Promise.resolve();
  const failed = (error?: unknown) => (first ??= error);
  const query = <Row>(statement: Sql): Promise<Row[]> => {
    const answer = queryRows<Row>(client, statement, written).catch((error: unknown) => {
      throw failed(error);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  return { query, failed, last: () => last };
}

const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

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
  const { query, failed } = pipelineOf(client);
  client.query(beginSnapshot).catch((error: Error) => {
    lost(error);
    failed(error);
  });
  const end = async () => {
    await client.query("COMMIT").catch(lost);
    client.off("error", lost);
    client.release(first);
  };
  try {
    return await run(query);
  } catch (error) {
    if (isStale(error)) lost(error);
    throw error;
  } finally {
    void end();
  }
}

/** Runs one statement that writes in its own transaction, in one round trip. */
export async function runStatement<Row>(pool: pg.Pool, statement: Sql): Promise<Row[]> {
  return withConnection(pool, async (client, lost) => {
    const [, written, ended] = await Promise.allSettled([
      client.query(begin),
      queryRows<Row>(client, statement),
      client.query("COMMIT"),
    ]);
    if (ended.status === "rejected") lost(ended.reason);
    if (written.status === "rejected") throw written.reason;
    if (ended.status === "rejected") throw ended.reason;
    return written.value;
  });
}

/**
 * Runs read-only statements on one connection, each in a transaction of its own.
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

/** Checks out a connection. `lost` returns its first error; a connection with one is closed. */
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
