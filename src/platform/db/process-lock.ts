import { randomInt } from "node:crypto";
import type { Logger } from "pino";
import { noDatabase } from "./database-errors.ts";
import { openOwnConnection, type OwnConnection } from "./own-connection.ts";
import { queryRows } from "./prepared-query.ts";
import { sql } from "./sql.ts";

/** A lock of this process on its own connection: it ends with the process at once. */
export type ProcessLock = {
  /** The number of the lock; null if it is not available. Each connection gets a new number. */
  number(): Promise<number | null>;
  /** Calls `run` when the connection is lost, until the returned function is called. */
  onLost(run: () => void): () => void;
  close(): Promise<void>;
};

type Session = { number: number; connection: OwnConnection };

/** The process lock in a database; nothing is connected before the first `number`. */
export function createProcessLock(url: string, log: Logger): ProcessLock {
  const listeners = new Set<() => void>();
  let current: Promise<Session | null> | undefined;
  let isClosed = false;

  const open = async (): Promise<Session | null> => {
    try {
      const session = await openSession(url);
      void session.connection.ended.then(lose);
      return session;
    } catch (error) {
      log.warn({ err: noDatabase(error) }, "the process lock is not available");
      current = undefined;
      return null;
    }
  };
  const lose = () => {
    current = undefined;
    if (isClosed) return;
    log.warn("the connection of the process lock was lost");
    for (const run of listeners) run();
  };
  return {
    async number() {
      if (isClosed) return null;
      const session = await (current ??= open());
      return session?.number ?? null;
    },
    onLost(run) {
      listeners.add(run);
      return () => void listeners.delete(run);
    },
    async close() {
      isClosed = true;
      const session = await current;
      await session?.connection.close();
    },
  };
}

// PostgreSQL then notices soon that the process is unreachable, and frees the lock.
const noticesLoss = {
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
};

async function openSession(url: string): Promise<Session> {
  const connection = await openOwnConnection(url, "process lock", noticesLoss);
  const number = randomInt(1, 2 ** 31);
  try {
    const [row] = await queryRows<{ mine: boolean }>(
      connection.client,
      sql`SELECT lock_process(${number}::int) AS mine`,
    );
    if (row?.mine !== true) throw new Error(`Another process has the number ${number}.`);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return { number, connection };
}
