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

/** Prisma in a transaction that somebody else began: entered by the first call to a model; `leave` neither commits nor rolls back. */
export type JoinedTransaction = { prisma: Tx; leaveTransaction: () => Promise<void> };

/** Prisma on a pool, and the way to use it in a transaction that is open on one of the pool's connections. */
export function prismaOn(
  pool: pg.Pool,
  options: Options,
): { prisma: PrismaClient; within: (client: pg.PoolClient) => JoinedTransaction } {
  let entering: pg.PoolClient | undefined;
  const { transactionOptions } = options;
  const adapter = adapterWithin(new PrismaPg(pool, options.adapter), () => entering);
  const prisma = new PrismaClient({ adapter, transactionOptions });
  // One enters at a time, since an adapter is not told for whom it starts a transaction; nothing is sent meanwhile.
  let turn: Promise<unknown> = Promise.resolve();
  const enter = (client: pg.PoolClient, until: Promise<void>) => {
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
    let entered: ReturnType<typeof enter> | undefined;
    return {
      prisma: deferred(async () => (await (entered ??= enter(client, until))).prisma),
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

/** An adapter whose transactions Prisma neither begins nor ends while `entering` tells a connection that has one open. */
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
        return client === undefined ? begin(level) : Promise.resolve(onto(adapter, client));
      };
      return Object.assign(adapter, { startTransaction });
    },
  };
}

/** The same adapter on one connection; Prisma says itself that it will not send BEGIN or COMMIT (`usePhantomQuery`). */
function onto(adapter: SqlDriverAdapter, client: pg.PoolClient): Transaction {
  return Object.assign(Object.create(adapter), {
    client,
    options: { usePhantomQuery: true },
    commit: () => Promise.resolve(),
    rollback: () => Promise.resolve(),
  });
}

/** A client whose models ask for the real one with their first call. */
function deferred(open: () => Promise<Tx>): Tx {
  // Models and methods are looked up by name, which types cannot follow.
  const lookUp = (make: (name: PropertyKey) => unknown) =>
    new Proxy(Object.create(null), { get: (_, name) => make(name) });
  return lookUp((model) =>
    lookUp((method) => async (args: unknown) => {
      const delegate = Reflect.get(await open(), model);
      return Reflect.apply(Reflect.get(delegate, method), delegate, [args]);
    }),
  );
}
