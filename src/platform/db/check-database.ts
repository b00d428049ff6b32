import type pg from "pg";
import { explainFault } from "./connection-faults.ts";
import { openOwnConnection } from "./own-connection.ts";

/** Connects to a database before it is used. Throws an error that says what to do. */
export async function checkDatabase(url: string): Promise<void> {
  let isShared: boolean;
  try {
    isShared = await sharesSessions(url);
  } catch (error) {
    throw explainFault(error);
  }
  if (isShared)
    throw new Error(
      "DATABASE_URL leads to a pooler in transaction mode, which gives each transaction another " +
        "session. The service needs sessions of its own, for LISTEN, locks and settings. Set " +
        "pool_mode = session for this database, or connect directly.",
    );
}

const processOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid ?? 0;

/** Whether a connection shares its session: a pooler gives it to others between statements. */
async function sharesSessions(url: string): Promise<boolean> {
  const first = await openOwnConnection(url, "start");
  try {
    const mine = await processOf(first.client);
    const other = await openOwnConnection(url, "start");
    try {
      await other.client.query("BEGIN");
      return (await processOf(other.client)) === mine || (await processOf(first.client)) !== mine;
    } finally {
      await other.close();
    }
  } finally {
    await first.close();
  }
}
