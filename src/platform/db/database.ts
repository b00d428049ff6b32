import { TRPCError } from "@trpc/server";
import pg from "pg";
import type { Logger } from "pino";
import { Failure, unavailable } from "../errors.ts";
import { connect, prepared } from "./client.ts";
import { Prisma, type PrismaClient } from "./generated/client.ts";
import type { Query } from "./query.ts";
import type { Sql } from "./sql.ts";
import { createSnapshots, type Snapshots } from "./snapshot.ts";

/** Prisma inside one transaction. */
export type PrismaTransaction = Prisma.TransactionClient;

type Reads =
  | "findUnique"
  | "findUniqueOrThrow"
  | "findFirst"
  | "findMany"
  | "count"
  | "aggregate"
  | "groupBy";
type Models = {
  [
    Name in keyof PrismaClient as PrismaClient[Name] extends { findMany: unknown } ? Name : never
  ]: Pick<PrismaClient[Name], Reads & keyof PrismaClient[Name]>;
};

/** What an operation that only reads is given. */
export type Reader = Models & { query: Query };

/** The database: reads on the pool, writes in transactions. */
export type Database = {
  read: Query;
  reader: Reader;
  /** Long reads of one moment, on connections of their own. */
  snapshots: Snapshots;
  /** Runs `run` in one READ COMMITTED transaction; it is run again after a deadlock or a serialization failure, and when a row that it names was taken away at the same moment. */
  transact<Result>(
    run: (prisma: PrismaTransaction, query: Query) => Promise<Result>,
  ): Promise<Result>;
  /** How many connections are open and how many of them idle, and how many calls wait for one. */
  connections(): { open: number; idle: number; waiting: number };
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

const tries = 5;

/** Opens the database behind an address; `size` is how many connections it may hold. */
export async function openDatabase(url: string, size: number, log: Logger): Promise<Database> {
  const { prisma: pooled, pool, within, close } = await connect(url, { size, log });
  const snapshots = createSnapshots(url, log);
  const read: Query = <Row>(statement: Sql | string, values?: unknown[]) =>
    available(async () => {
      const { rows } = await pool.query<Row & pg.QueryResultRow>(prepared(statement, values));
      return rows;
    });
  // Prisma types an extended client in its own way; it has the models of the client itself.
  const models: PrismaClient = Object.create(
    pooled.$extends({
      query: { $allOperations: ({ args, query }) => available(() => query(args)) },
    }),
  );
  const inTransaction = async <Result>(
    run: (prisma: PrismaTransaction, query: Query) => Promise<Result>,
  ) => {
    const client = await pool.connect();
    const { prisma, leaveTransaction } = within(client);
    let fault: Error | undefined;
    const broken = (error: Error) => (fault ??= error);
    // A connection that is lost while it is ours is told to us only, not to the pool.
    client.on("error", broken);
    try {
      await client.query("BEGIN");
      const query = async <Row>(statement: Sql | string, values?: unknown[]) => {
        const { rows } = await client.query<Row & pg.QueryResultRow>(prepared(statement, values));
        return rows;
      };
      const result = await run(prisma, query);
      await leaveTransaction();
      const { command } = await client.query("COMMIT");
      if (command !== "COMMIT" || fault !== undefined) {
        throw fault ?? new Error("A statement failed, and what asked for it did not notice.");
      }
      return result;
    } catch (error) {
      await leaveTransaction().catch(broken);
      await client.query("ROLLBACK").catch(broken);
      throw error;
    } finally {
      client.off("error", broken);
      client.release(fault);
    }
  };
  return {
    read,
    reader: Object.assign(models, { query: read }),
    snapshots,
    async transact(run) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await available(() => inTransaction(run));
        } catch (error) {
          if (attempt === tries || !isWorthAnother(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
        }
      }
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async ping() {
      await read("SELECT 1", []);
    },
    async close() {
      await snapshots.close();
      await close();
    },
  };
}

/** What a handler threw: tRPC has wrapped it by the time that it ends the transaction. */
const bare = (error: unknown): unknown =>
  error instanceof TRPCError && error.cause !== undefined ? bare(error.cause) : error;

const known = (error: unknown) => {
  const thrown = bare(error);
  return thrown instanceof Prisma.PrismaClientKnownRequestError ? thrown : undefined;
};

/** The SQLSTATE behind an error of the pool or of Prisma. */
export function sqlState(error: unknown): string {
  const thrown = bare(error);
  if (thrown instanceof pg.DatabaseError) return thrown.code ?? "";
  return adapted(error, "originalCode");
}

/** What Prisma's adapter says of an error. */
function adapted(error: unknown, property: "originalCode" | "kind"): string {
  // A query fails with an error of Prisma's around the adapter's; a COMMIT with the adapter's own.
  const adapter = known(error)?.meta?.["driverAdapterError"] ?? bare(error);
  const inner = adapter instanceof Error ? adapter.cause : undefined;
  return typeof inner === "object" && inner !== null && property in inner
    ? String(Reflect.get(inner, property))
    : "";
}

// A foreign key that leads nowhere is the trace of somebody else's deletion: looked at anew, the row is not there.
const isWorthAnother = (error: unknown) =>
  known(error)?.code === "P2034" || /^(?:40P01|40001|23503)$/.test(sqlState(error));

const lost =
  /ECONN|EPIPE|ENOENT|ETIMEDOUT|terminated|timeout exceeded when trying to connect|Connection ended|not queryable/;

/** 503 for what says that the database is away, full or too slow; everything else as it is. */
function unreachable(error: unknown): boolean {
  const code = known(error)?.code ?? "";
  if (/^P(1001|1002|1008|1017|2024|2028)$/.test(code)) return true;
  if (/^(08|53|57P|57014|25P03)/.test(sqlState(error))) return true;
  if (/^(DatabaseNotReachable|ConnectionClosed|SocketTimeout)$/.test(adapted(error, "kind"))) {
    return true;
  }
  const thrown = bare(error);
  return (
    thrown instanceof Error &&
    !(thrown instanceof Failure) &&
    lost.test(`${thrown.message} ${"code" in thrown ? String(thrown.code) : ""}`)
  );
}

async function available<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw unreachable(error) ? unavailable("The database does not answer.") : error;
  }
}
