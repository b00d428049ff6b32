import { EventEmitter, once } from "node:events";
import pg from "pg";
import type { Logger } from "pino";
import { tooManyRequests, unavailable } from "../errors.ts";
import { bigints, prepared } from "./client.ts";
import type { Sql } from "./sql.ts";
import type { Query } from "./query.ts";

/**
 * The database at one moment, whatever is written meanwhile.
 *
 * End it with `close`, or with `cut`, which does not wait for running statements.
 */
export type Snapshot = { query: Query; close: () => Promise<void>; cut: () => void };

/** Opens snapshots on separate connections; the number per user `who` is limited. */
export type Snapshots = { open(who: bigint): Promise<Snapshot>; close(): Promise<void> };

/** How many may be open at a time, and how many of them one user may have. */
const most = 4;
const mostOfOne = 2;
/** How long a further reader waits for a snapshot to end. */
const patienceMs = 2_000;
// An idle reader loses the snapshot after this time: a snapshot blocks vacuuming.
const idleMs = 60_000;
const statementMs = 30_000;

/** The snapshots of a database; nothing is connected before the first. */
export function createSnapshots(url: string, log: Logger): Snapshots {
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    application_name: "workspace-board-service exports",
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 10_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleMs,
    types: bigints,
  });
  pool.on("error", (error) => log.warn({ err: error }, "idle database connection lost"));
  const cuts = new Set<() => void>();
  const slots = createSlots();
  return {
    async open(who) {
      await slots.acquire(who);
      try {
        const { query, close, cut } = await begin(pool, () => {
          slots.release(who);
          cuts.delete(cut);
        });
        cuts.add(cut);
        return { query, close, cut };
      } catch (error) {
        slots.release(who);
        log.warn({ err: error }, "a snapshot could not be opened");
        throw unavailable("The database does not answer.");
      }
    },
    async close() {
      for (const cut of cuts) cut();
      await pool.end();
    },
  };
}

/** Limits the open snapshots; a reader over the limit waits, then gets 429 or 503. */
function createSlots() {
  const inside: bigint[] = [];
  const left = new EventEmitter().setMaxListeners(0);
  const countOf = (who: bigint) => inside.filter((one) => one === who).length;
  const isFull = (who: bigint) => inside.length >= most || countOf(who) >= mostOfOne;
  return {
    async acquire(who: bigint) {
      const timeout = AbortSignal.timeout(patienceMs);
      while (isFull(who)) {
        await once(left, "left", { signal: timeout }).catch(() => undefined);
        if (!timeout.aborted || !isFull(who)) continue;
        const mine = countOf(who);
        if (mine >= mostOfOne)
          throw tooManyRequests(`You have ${mine} running exports already.`, 5);
        throw unavailable("Too many exports are running.", 10);
      }
      inside.push(who);
    },
    release(who: bigint) {
      inside.splice(inside.indexOf(who), 1);
      left.emit("left");
    },
  };
}

/** Begins a snapshot on a connection of its own; `ended` is called after `close` or `cut`. */
async function begin(pool: pg.Pool, ended: () => void) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  } catch (error) {
    client.release(true);
    throw error;
  }
  let held = true;
  const end = (broken: boolean) => {
    if (!held) return;
    held = false;
    client.off("error", cut);
    client.release(broken);
    ended();
  };
  const cut = () => end(true);
  client.on("error", cut);
  // A connection runs one query at a time: concurrent queries wait here.
  let last: Promise<unknown> = Promise.resolve();
  const query: Query = <Row>(statement: Sql | string, values?: unknown[]) => {
    const mine = last.then(() => read<Row>(statement, values));
    last = mine.catch(() => undefined);
    return mine;
  };
  const read = async <Row>(statement: Sql | string, values?: unknown[]) => {
    if (!held) throw unavailable("The snapshot has been closed: it was idle for too long.");
    const { rows } = await client.query<Row & pg.QueryResultRow>(prepared(statement, values));
    return rows;
  };
  const close = async () => {
    if (held) await client.query("COMMIT").then(() => end(false), cut);
  };
  return { query, close, cut };
}
