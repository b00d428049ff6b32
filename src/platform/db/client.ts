import { createHash } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import type { PrismaClient } from "./generated/client.ts";
import { noDatabase } from "./database-errors.ts";
import { lazyPrisma, type JoinedTransaction } from "./lazy-prisma.ts";
import { sessionOf, statementMs } from "./session.ts";
import type { WrittenAmount } from "./written.ts";

/** A pool, and Prisma on it; `close` waits for running queries. */
export type ConnectionPool = {
  prisma: () => Promise<PrismaClient>;
  pool: pg.Pool;
  within: (client: pg.PoolClient, written: WrittenAmount) => JoinedTransaction;
  close: () => Promise<void>;
};

/** The options of a pool. */
export type ConnectOptions = {
  /** The maximum number of open connections. */
  size?: number;
  /** The log for lost connections. */
  log?: Logger;
  /** Whether only a READ WRITE transaction can write. */
  readOnly?: boolean;
  /** How long a statement waits for a connection, in ms. */
  waitMs?: number | undefined;
};

/** Opens a pool. The first query connects; the first call of a model loads Prisma. */
export function connect(
  url: string,
  { size = 10, log, readOnly = false, waitMs = 4_000 }: ConnectOptions = {},
): ConnectionPool {
  const session = sessionOf(url, usual, readOnly ? { ...always, ...writesNothing } : always);
  const pool = new pg.Pool({
    ...session.config,
    Client: session.Client,
    max: size,
    application_name: "workspace-board-service",
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    types: bigints,
    onConnect: session.prepare,
  });
  // A stopped server ends idle connections too. The pool replaces them, unless it is closing.
  pool.on("error", (error) => {
    if (!pool.ending) log?.warn({ err: noDatabase(error) }, "idle database connection lost");
  });
  // The network or the server is silent: the idle connections are as dead as the one that failed.
  pool.on("release", (error) => {
    if (error instanceof Error && !(error instanceof pg.DatabaseError)) closeIdle(pool);
  });
  const prisma = lazyPrisma(pool, {
    adapter: {
      // BEGIN and COMMIT are not worth preparing.
      statementNameGenerator: ({ sql, args }) => (args.length === 0 ? "" : statementName(sql)),
    },
    // Longer than any transaction: the database ends statements and pauses that take too long.
    transactionOptions: { maxWait: waitMs, timeout: 10 * 60_000 },
  });
  const close = async () => {
    await prisma.close();
    await pool.end();
  };
  return { prisma: prisma.open, pool, within: prisma.within, close };
}

/** Closes the idle connections of a pool. */
function closeIdle(pool: pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle--) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}

const names = new Map<string, string>();
// Every connection stores each named statement, so their number must be limited.
const maxNames = 1_000;

/** The name of a prepared statement, the same for the same SQL; empty over the limit. */
export function statementName(sql: string): string {
  const existing = names.get(sql);
  if (existing !== undefined) return existing;
  if (names.size >= maxNames) return "";
  const name = createHash("sha256").update(sql).digest("base64url").slice(0, 22);
  names.set(sql, name);
  return name;
}

/** Parsers of values for queries on the pool. Prisma has its own. */
export const bigints = new pg.TypeOverrides();
bigints.setTypeParser(pg.types.builtins.INT8, BigInt);

// Without statistics, the default cost makes PostgreSQL scan small tables for each row of a join:
// every statement has an index.
const usual = {
  random_page_cost: "1.1",
  statement_timeout: String(statementMs),
  idle_in_transaction_session_timeout: String(statementMs),
};
/** Prisma reads all timestamps as UTC. */
const always = { timezone: "UTC" };
const writesNothing = { default_transaction_read_only: "on" };
