import { createHash } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import type { PrismaClient } from "./generated/client.ts";
import type { Sql } from "./sql.ts";
import { prismaOn, type JoinedTransaction } from "./join-transaction.ts";

/** A pool, and Prisma on it and in its transactions; `close` waits for running statements. */
export type Connection = {
  prisma: PrismaClient;
  pool: pg.Pool;
  within: (client: pg.PoolClient) => JoinedTransaction;
  close: () => Promise<void>;
};

/** The options of a pool. */
export type ConnectOptions = {
  /** How many connections may be open. */
  size?: number;
  /** Where lost connections are reported. */
  log?: Logger;
  /** Whether a statement may write only in a transaction that says READ WRITE. */
  readOnly?: boolean;
};

/** Opens a pool on a database, and Prisma on that pool. The first query connects. */
export async function connect(
  url: string,
  { size = 10, log, readOnly = false }: ConnectOptions = {},
): Promise<Connection> {
  const pool = new pg.Pool({
    connectionString: withOptions(url, readOnly),
    max: size,
    application_name: "workspace-board-service",
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: 4_000,
    idle_in_transaction_session_timeout: 4_000,
    types: bigints,
    // Statements that are asked for together are sent together, one after the other.
    pipeline: true,
  });
  // A server that goes away ends the idle connections too; the pool opens new ones by itself.
  pool.on("error", (error) => log?.warn({ err: error }, "idle database connection lost"));
  const { prisma, within } = prismaOn(pool, {
    adapter: {
      // What has no parameters (BEGIN, COMMIT) is cheaper as it is.
      statementNameGenerator: ({ sql, args }) => (args.length === 0 ? "" : statementName(sql)),
    },
    // Above the timeouts of the connection, so that the database is what gives up first.
    transactionOptions: { maxWait: 4_000, timeout: 10_000 },
  });
  const close = async () => {
    await prisma.$disconnect();
    await pool.end();
  };
  return { prisma, pool, within, close };
}

const names = new Map<string, string>();
// Every connection stores each named statement, so their number must be limited.
const mostNames = 1_000;

/**
 * The name under which a statement is prepared: the same for the same SQL.
 *
 * Empty when there are too many names: the statement is then not prepared.
 */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= mostNames) return "";
  const name = createHash("sha256").update(sql).digest("base64url").slice(0, 22);
  names.set(sql, name);
  return name;
}

/** A statement as the pool takes it: with the name under which it is prepared. */
export function prepared(statement: Sql | string, values?: unknown[]): pg.QueryConfig {
  if (typeof statement === "string") {
    return { name: statementName(statement), text: statement, values: values ?? [] };
  }
  const { text } = statement;
  return { name: statementName(text), text, values: [...statement.values] };
}

/** How the pool parses values; Prisma brings its own parsers with each query. */
export const bigints = new pg.TypeOverrides();
bigints.setTypeParser(pg.types.builtins.INT8, BigInt);

/** The address with the options of every session: Prisma reads all timestamps as UTC. */
function withOptions(url: string, readOnly: boolean): string {
  const address = new URL(url);
  const given = address.searchParams.get("options") ?? "";
  const ours = `-c timezone=UTC${readOnly ? " -c default_transaction_read_only=on" : ""}`;
  address.searchParams.set("options", `${given} ${ours}`.trim());
  return address.href;
}
