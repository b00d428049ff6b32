import { PrismaPg } from "@prisma/adapter-pg";
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  Transaction,
} from "@prisma/driver-adapter-utils";
import type pg from "pg";
import { type Prisma, PrismaClient } from "./generated/client.ts";

type Tx = Prisma.TransactionClient;

/** The options of Prisma on a pool. */
export type PrismaOptions = {
  adapter: ConstructorParameters<typeof PrismaPg>[1];
  transactionOptions: { maxWait: number; timeout: number };
};

/** Prisma in the transaction of a connection. `left` resolves when Prisma has left it. */
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
  const adapter = adapterWithin(new PrismaPg(pool, options.adapter), () => entering);
  const prisma = new PrismaClient({ adapter, transactionOptions });
  // Joins run one at a time: an adapter does not know which caller starts a transaction.
  let turn: Promise<unknown> = Promise.resolve();
  const join = (client: pg.PoolClient, until: Promise<void>) => {
    const entered = turn.then(() => {
      entering = client;
      return new Promise<Joined>((resolve, reject) => {
        const left = prisma.$transaction((inside) => {
          resolve({ prisma: inside, left });
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

/** An adapter that reuses the open transaction of the connection that `entering` returns. */
function adapterWithin(
  factory: PrismaPg,
  entering: () => pg.PoolClient | undefined,
): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return {
    provider,
    adapterName,
    async connect() {
      const adapter = await factory.connect();
      const begin = adapter.startTransaction.bind(adapter);
      const startTransaction: SqlDriverAdapter["startTransaction"] = (level) => {
        const client = entering();
        return client === undefined
          ? begin(level)
          : Promise.resolve(joinedTransaction(adapter, client));
      };
      return Object.assign(adapter, { startTransaction });
    },
  };
}

/** The adapter on one connection. With `usePhantomQuery` Prisma sends no BEGIN and COMMIT. */
function joinedTransaction(adapter: SqlDriverAdapter, client: pg.PoolClient): Transaction {
  return Object.assign(Object.create(adapter), {
    client,
    options: { usePhantomQuery: true },
    commit: () => Promise.resolve(),
    rollback: () => Promise.resolve(),
  });
}
