import { EventEmitter, once } from "node:events";
import pg from "pg";
import type { Logger } from "pino";
import { tooManyRequests, unavailable } from "../errors.ts";
import { bigints, prepared } from "./client.ts";
import type { Sql } from "./sql.ts";
import type { Query } from "./query.ts";

/** A snapshot of the database. `close` waits for running reads; `cut` does not. */
export type Snapshot = { query: Query; close: () => Promise<void>; cut: () => void };

/** Opens snapshots on separate connections; the number per user `who` is limited. */
export type Snapshots = { open(who: bigint): Promise<Snapshot>; close(): Promise<void> };

/** The maximum numbers of open snapshots in total and per user. */
const most = 4;
const mostOfOne = 2;
/** How long a reader over the limit waits. */
const patienceMs = 2_000;
// An idle reader loses the snapshot after this time: a snapshot blocks vacuuming.
const idleMs = 60_000;
const statementMs = 30_000;

/** The snapshots of a database. The first one connects. */
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
        log.warn({ err: error }, "opening a snapshot failed");
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

/** Begins a snapshot on a separate connection. `ended` is called after `close` or `cut`. */
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
  const query: Query = <Row>(statement: Sql) => {
    const mine = last.then(() => read<Row>(statement));
    last = mine.catch(() => undefined);
    return mine;
  };
  const read = async <Row>(statement: Sql) => {
    if (!held) throw unavailable("The snapshot was closed because it was idle for too long.");
    const { rows } = await client.query<Row & pg.QueryResultRow>(prepared(statement));
    return rows;
  };
  const close = async () => {
    if (held) await client.query("COMMIT").then(() => end(false), cut);
  };
  return { query, close, cut };
}
