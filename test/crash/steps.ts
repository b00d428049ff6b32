import pg from "pg";
import { onTestFinished } from "vitest";

/** The transactions that write to a table, one at a time. */
export type Steps = {
  /** Lets one of them end, if one waits; the next ones wait again. */
  next(): Promise<void>;
  /** Lets all of them run. */
  release(): Promise<void>;
};

/**
 * Lets transactions that write to a table wait, until the test lets them run.
 *
 * A test that looks and then kills may come late: a machine can stand still in between.
 */
export async function holdSteps(url: string, table: string): Promise<Steps> {
  let holder = await begin(url);
  const lock = ({ client }: Holder) =>
    client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  await lock(holder);
  const isQueued = async ({ pid }: Holder) => {
    const waiting = "SELECT 1 FROM pg_locks WHERE pid = $1 AND NOT granted";
    return (await holder.client.query(waiting, [pid])).rows.length > 0;
  };
  const release = () => holder.client.end();
  onTestFinished(release);
  return {
    async next() {
      const next = await begin(url);
      // PostgreSQL grants locks in the order of the requests: first to the step that waits.
      const locked = lock(next);
      while (!(await isQueued(next)));
      await release();
      holder = next;
      await locked;
    },
    release,
  };
}

type Holder = Awaited<ReturnType<typeof begin>>;

/** Begins a transaction on a connection of its own. */
async function begin(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET idle_in_transaction_session_timeout = 0");
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  await client.query("BEGIN");
  return { client, pid: rows[0]?.pid };
}
