import { PrismaPg } from "@prisma/adapter-pg";
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  Transaction,
} from "@prisma/driver-adapter-utils";
import type pg from "pg";
import { type Prisma, PrismaClient } from "./generated/client.ts";

type Tx = Prisma.TransactionClient;
type Options = {
  adapter: ConstructorParameters<typeof PrismaPg>[1];
  transactionOptions: { maxWait: number; timeout: number };
};

/** Prisma in an open transaction. The first call joins it; `leave` does not end it. */
export type JoinedTransaction = { prisma: Tx; leaveTransaction: () => Promise<void> };

/** Prisma on a pool, which can join an open transaction of a connection. */
export function prismaOn(
  pool: pg.Pool,
  options: Options,
): { prisma: PrismaClient; within: (client: pg.PoolClient) => JoinedTransaction } {
  let entering: pg.PoolClient | undefined;
  const { transactionOptions } = options;
  const adapter = adapterWithin(new PrismaPg(pool, options.adapter), () => entering);
  const prisma = new PrismaClient({ adapter, transactionOptions });
  // Joins run one at a time: an adapter does not know which caller starts a transaction.
  let turn: Promise<unknown> = Promise.resolve();
  const join = (client: pg.PoolClient, until: Promise<void>) => {
    const entered = turn.then(() => {
      entering = client;
      return new Promise<{ prisma: Tx; left: Promise<unknown> }>((resolve, reject) => {
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
  const within = (client: pg.PoolClient): JoinedTransaction => {
    let end = (): void => undefined;
    const until = new Promise<void>((resolve) => (end = resolve));
    let entered: ReturnType<typeof join> | undefined;
    return {
      prisma: deferred(async () => (await (entered ??= join(client, until))).prisma),
      async leaveTransaction() {
        end();
        await (
          await entered
        )?.left;
      },
    };
  };
  return { prisma, within };
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

/** A client whose first call opens the real client. */
function deferred(open: () => Promise<Tx>): Tx {
  // Models and methods are looked up by name, which types cannot express.
  const lookUp = (make: (name: PropertyKey) => unknown) =>
    new Proxy(Object.create(null), { get: (_, name) => make(name) });
  return lookUp((model) =>
    lookUp((method) => async (args: unknown) => {
      const delegate = Reflect.get(await open(), model);
      return Reflect.apply(Reflect.get(delegate, method), delegate, [args]);
    }),
  );
}
