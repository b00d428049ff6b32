import type pg from "pg";
import type { Prisma, PrismaClient } from "./generated/client.ts";
import { loadOnce } from "../load-once.ts";
import { callModel, modelsThat, modelBytes } from "./models.ts";
import type { WrittenAmount } from "./written.ts";
import type { OpenPrisma, PrismaOptions } from "./open-prisma.ts";

type Tx = Prisma.TransactionClient;

/** Prisma in an open transaction. The first call joins it; `leave` does not end it. */
export type JoinedTransaction = { prisma: Tx; leaveTransaction: () => Promise<void> };

/** Prisma on a pool, which can join an open transaction of a connection. */
export type LazyPrisma = {
  open: () => Promise<PrismaClient>;
  within: (client: pg.PoolClient, written: WrittenAmount) => JoinedTransaction;
  close: () => Promise<void>;
};

/** Prisma on a pool, loaded at the first call: it takes 40 MB that a process may never need. */
export function lazyPrisma(pool: pg.Pool, options: PrismaOptions): LazyPrisma {
  let opened: OpenPrisma | undefined;
  const open = loadOnce(
    async () => (opened = (await import("./open-prisma.ts")).openPrisma(pool, options)),
  );
  const within = (client: pg.PoolClient, written: WrittenAmount): JoinedTransaction => {
    let end = (): void => undefined;
    const until = new Promise<void>((resolve) => (end = resolve));
    const join = async () => (await open()).join(client, until);
    let entered: ReturnType<typeof join> | undefined;
    return {
      prisma: modelsThat(async (model, method, args) => {
        written.bytes += modelBytes(method, args);
        const { prisma } = await (entered ??= join());
        return callModel(prisma, model, method, args);
      }),
      async leaveTransaction() {
        end();
        await (
          await entered
        )?.left;
      },
    };
  };
  return {
    open: async () => (await open()).prisma,
    within,
    close: async () => opened?.prisma.$disconnect(),
  };
}
