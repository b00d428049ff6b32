import type { Logger } from "pino";
import { FairShare, type ShareLimits } from "../fair-share.ts";
import { connect } from "./client.ts";
import {
  afterRetries,
  isRetryable,
  repeatRead,
  withAvailability,
  withWrites,
} from "./database-errors.ts";
import type { PrismaClient } from "./generated/client.ts";
import { callModel, modelsThat } from "./models.ts";
import { queryRows } from "./prepared-query.ts";
import type { Query } from "./query.ts";
import { createProcessLock, type ProcessLock } from "./process-lock.ts";
import { createSnapshots, type Snapshots } from "./snapshot.ts";
import type { SlowReaders } from "./snapshot-slots.ts";
import { sql, type Sql } from "./sql.ts";
import type { ReadTogether } from "./gather-reads.ts";
import {
  runSnapshot,
  runStatement,
  runTogether,
  runTransaction,
  type InTransaction,
} from "./transaction.ts";

/** `read_only`: a standby, or a server that is set to accept no writes. */
export type DatabaseState = "ok" | "read_only";

type ReadMethods =
  | "findUnique"
  | "findUniqueOrThrow"
  | "findFirst"
  | "findMany"
  | "count"
  | "groupBy";
/** Prisma's models with the methods that read. */
export type Models = {
  [
    Name in keyof PrismaClient as PrismaClient[Name] extends { findMany: unknown } ? Name : never
  ]: Pick<PrismaClient[Name], ReadMethods & keyof PrismaClient[Name]>;
};

/** The database handle of a query. */
export type DatabaseReader = Models & { query: Query };

/** The read-only part of the database: PostgreSQL rejects statements that write. */
export type ReadDatabase = {
  /** Runs one read-only statement. */
  read: Query;
  /** Runs read-only statements on one connection, each in its own transaction. */
  readTogether: ReadTogether;
  /** Prisma's models, read-only. */
  reader: DatabaseReader;
  /** Runs reads in one snapshot, READ ONLY, on one connection. */
  readSnapshot<Result>(run: (query: Query) => Promise<Result>): Promise<Result>;
  /** Snapshots for long reads, on separate connections. */
  snapshots: Snapshots;
  /** The numbers of open and idle connections, and of calls that wait for one. */
  connections(): { open: number; idle: number; waiting: number };
  /** The state of the database. Throws when it does not answer. */
  ping(): Promise<DatabaseState>;
};

/** The database: reads outside transactions, writes in them. */
export type Database = ReadDatabase & {
  /** Runs one statement that writes without an event. Retries after a transient failure. */
  write: Query;
  /** Runs `run` in a READ COMMITTED transaction. Retries after a transient failure. */
  transact<Result>(run: InTransaction<Result>): Promise<Result>;
  /** The lock that shows other instances that this process runs. */
  processLock: ProcessLock;
  /** How callers share the connections. */
  shares: FairShare;
  /** Sets the tenant that later uses of the caller count for, if there is a caller. */
  assignTenant(tenant: string): void;
  close(): Promise<void>;
};

const maxAttempts = 5;

// The sessions of the pool are read-only: `reset_val` is what the server gave them.
const stateOfServer = sql`SELECT pg_is_in_recovery() OR (SELECT reset_val = 'on'
  FROM pg_settings WHERE name = 'default_transaction_read_only') AS "isReadOnly"`;

/** How long calls wait for a connection, in ms, and which exports are slow; with defaults. */
export type WaitLimits = { waitMs?: number; slowReaders?: SlowReaders };

/** Opens the database of an address with at most `size` connections. */
export async function openDatabase(
  url: string,
  size: number,
  log: Logger,
  { waitMs, slowReaders }: WaitLimits = {},
): Promise<Database> {
  const options = { size, log, readOnly: true, waitMs };
  const { prisma, pool, within, close } = connect(url, options);
  const snapshots = createSnapshots(url, log, slowReaders);
  const processLock = createProcessLock(url, log);
  const read: Query = <Row>(statement: Sql) =>
    withAvailability(() => repeatRead(() => queryRows<Row>(pool, statement)));
  const models = modelsThat(async (model, method, args) => {
    const opened = await prisma();
    return withAvailability(() => repeatRead(async () => callModel(opened, model, method, args)));
  });
  /** Runs a transaction, and again after a transient failure, which has undone it. */
  const repeated = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withWrites(run);
      } catch (error) {
        if (!isRetryable(error)) throw error;
        if (attempt === maxAttempts) throw afterRetries(error);
        log.warn({ err: error, attempt }, "transaction runs again");
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
      }
    }
  };
  const shares = new FairShare(connectionShares(size, waitMs));
  return {
    read,
    readTogether: (run) => withAvailability(() => runTogether(pool, run)),
    reader: Object.assign(models, { query: read }),
    readSnapshot: (run) => withAvailability(() => repeatRead(() => runSnapshot(pool, run))),
    snapshots,
    write: <Row>(statement: Sql) => repeated(() => runStatement<Row>(pool, statement)),
    transact: (run) => repeated(() => runTransaction(pool, within, run)),
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + shares.waiting,
    }),
    processLock,
    shares,
    assignTenant: () => undefined,
    async ping() {
      const [row] = await read<{ isReadOnly: boolean }>(stateOfServer);
      return row?.isReadOnly === true ? "read_only" : "ok";
    },
    async close() {
      await processLock.close();
      await snapshots.close();
      await close();
    },
  };
}

/**
 * How callers share the connections of a pool.
 *
 * Two connections are left to work without a caller: deliveries, streams, leases of jobs.
 */
export function connectionShares(connections: number, waitMs = 3_000): ShareLimits {
  const size = Math.max(1, connections - 2);
  return {
    size,
    perCaller: Math.ceil(size / 2),
    perTenant: Math.max(1, size - 1),
    queue: 2_000,
    queuePerCaller: 256,
    waitMs,
  };
}
