import { PrismaPg } from "@prisma/adapter-pg";
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from "@prisma/driver-adapter-utils";
import pg from "pg";
import { inStatement } from "../tracing/tracing.ts";
import { type Prisma, PrismaClient } from "./generated/client.ts";

type Tx = Prisma.TransactionClient;

/** The options of Prisma on a pool. */
export type PrismaOptions = {
  adapter: ConstructorParameters<typeof PrismaPg>[1];
  transactionOptions: { maxWait: number; timeout: number };
};

/** Prisma within the transaction of a connection; `left` resolves when it has left it. */
type Joined = { prisma: Tx; left: Promise<unknown> };

/** Prisma on a pool; `join` joins the open transaction of a connection, until `until`. */
export type OpenPrisma = {
  prisma: PrismaClient;
  join(client: pg.PoolClient, until: Promise<void>): Promise<Joined>;
};

/** Opens Prisma on a pool. The first call of a model loads its engine. */
export function openPrisma(pool: pg.Pool, options: PrismaOptions): OpenPrisma {
  let entering: pg.PoolClient | undefined;
  const { transactionOptions } = options;
  const connect = (target: pg.Pool) => new PrismaPg(target, options.adapter).connect();
  const adapter: SqlDriverAdapterFactory = {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    async connect() {
      const pooled = await connect(pool);
      const joined = (client: pg.PoolClient) => connect(poolOf(client)).then(joinedTransaction);
      return {
        ...queriesOf(pooled),
        executeScript: (script) => pooled.executeScript(script),
        startTransaction: (level) =>
          entering === undefined ? pooled.startTransaction(level) : joined(entering),
        getConnectionInfo: () => pooled.getConnectionInfo(),
        dispose: () => pooled.dispose(),
      };
    },
  };
  const prisma = new PrismaClient({ adapter, transactionOptions });
  // Joins run one at a time: an adapter does not know which caller starts a transaction.
  let turn: Promise<unknown> = Promise.resolve();
  const join = (client: pg.PoolClient, until: Promise<void>) => {
    const entered = turn.then(() => {
      entering = client;
      return new Promise<Joined>((resolve, reject) => {
        const left = prisma.$transaction((tx) => {
          resolve({ prisma: tx, left });
          return until;
        });
        left.catch(reject);
      });
    });
    turn = Promise.allSettled([entered]).finally(() => (entering = undefined));
    return entered;
  };
  return { prisma, join };
}

/** A pool that sends every query over one connection. */
const poolOf = (client: pg.PoolClient) =>
  Object.assign(new pg.Pool(), { query: client.query.bind(client) });

const queriesOf = (adapter: SqlDriverAdapter): SqlQueryable => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => inStatement(query.sql, () => adapter.queryRaw(query)),
  executeRaw: (query) => inStatement(query.sql, () => adapter.executeRaw(query)),
});

/** The adapter in an open transaction. With `usePhantomQuery` Prisma sends no BEGIN and COMMIT. */
const joinedTransaction = (adapter: SqlDriverAdapter): Transaction => ({
  ...queriesOf(adapter),
  options: { usePhantomQuery: true },
  commit: () => Promise.resolve(),
  rollback: () => Promise.resolve(),
});
