import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import pg from "pg";
import type { Logger } from "pino";
import type { PrismaClient } from "./generated/client.ts";
import { coalesceWrites } from "./coalesce-writes.ts";
import { lazyPrisma, type JoinedTransaction } from "./lazy-prisma.ts";
import { endGroups } from "./statement-group.ts";
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
  const pool = new pg.Pool({
    connectionString: withOptions(url, readOnly),
    max: size,
    application_name: "workspace-board-service",
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: bigints,
    // Queries that start together are pipelined, and written together.
    pipeline: true,
  });
  pool.on("connect", (client) => {
    coalesceWrites(streamOf(client));
    endGroups(client);
  });
  // A stopped server ends idle connections too. The pool replaces them, unless it is closing.
  pool.on("error", (error) => {
    if (!pool.ending) log?.warn({ err: error }, "idle database connection lost");
  });
  const prisma = lazyPrisma(pool, {
    adapter: {
      // Preparing BEGIN and COMMIT would only cost.
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

/** The socket of a connection, or TLS on it, which the types of `pg` leave out. */
function streamOf(client: pg.PoolClient): Writable {
  const { stream }: { stream: Writable } = Reflect.get(client, "connection");
  return stream;
}

const names = new Map<string, string>();
// Every connection stores each named statement, so their number must be limited.
const mostNames = 1_000;

/** The name of a prepared statement, the same for the same SQL; empty over the limit. */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= mostNames) return "";
  const name = createHash("sha256").update(sql).digest("base64url").slice(0, 22);
  names.set(sql, name);
  return name;
}

/** Parsers of values for queries on the pool. Prisma has its own. */
export const bigints = new pg.TypeOverrides();
bigints.setTypeParser(pg.types.builtins.INT8, BigInt);

// An address can set other values. Without statistics, the default cost makes PostgreSQL scan small
// tables for each row of a join: every statement has an index.
const usual =
  "-c random_page_cost=1.1 -c statement_timeout=4s -c idle_in_transaction_session_timeout=4s";

/** Settings of every session. Prisma reads all timestamps as UTC. */
function withOptions(url: string, readOnly: boolean): string {
  const address = new URL(url);
  const given = address.searchParams.get("options") ?? "";
  const ours = `-c timezone=UTC${readOnly ? " -c default_transaction_read_only=on" : ""}`;
  address.searchParams.set("options", `${usual} ${given} ${ours}`);
  return address.href;
}
