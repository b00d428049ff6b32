import type pg from "pg";
import { expect } from "vitest";

/** Waits until at least `count` statements on the database of a connection wait for a lock. */
export async function waiting(client: pg.Client, count = 1): Promise<void> {
  const read = async () => {
    // Else a transaction sees all the time the connections that it saw first.
    await client.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  await expect.poll(read, { interval: 10 }).toBeGreaterThanOrEqual(count);
}
