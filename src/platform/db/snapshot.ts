import { EventEmitter, once } from "node:events";
import pg from "pg";
import type { Logger } from "pino";
import { tooManyRequests, unavailable } from "../errors.ts";
import { bigints, prepared } from "./client.ts";
import type { Sql } from "./sql.ts";
import type { Query } from "./query.ts";

/** The database as it was at one moment, whatever is written meanwhile; `close` must follow, or `cut`, which does not wait for what is being read. */
export type Snapshot = { query: Query; close: () => Promise<void>; cut: () => void };

/** Opens snapshots on connections of their own, so that long reads take none from the others; `who` has only so many. */
export type Snapshots = { open(who: bigint): Promise<Snapshot>; close(): Promise<void> };

/** How many may be open at a time, and how many of them one user may have. */
const most = 4;
const mostOfOne = 2;
/** For how long whoever comes then waits for another one to end. */
const patienceMs = 2_000;
// A reader who takes nothing for so long loses the snapshot: it keeps the database from cleaning up.
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
  const room = createRoom();
  return {
    async open(who) {
      await room.enter(who);
      try {
        const { query, close, cut } = await begin(pool, () => {
          room.leave(who);
          cuts.delete(cut);
        });
        cuts.add(cut);
        return { query, close, cut };
      } catch (error) {
        room.leave(who);
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

/** Lets in so many at a time; whoever finds no place waits a little, and is then told to come again. */
function createRoom() {
  const inside: bigint[] = [];
  const left = new EventEmitter().setMaxListeners(0);
  const countOf = (who: bigint) => inside.filter((one) => one === who).length;
  const isFull = (who: bigint) => inside.length >= most || countOf(who) >= mostOfOne;
  return {
    async enter(who: bigint) {
      const patience = AbortSignal.timeout(patienceMs);
      while (isFull(who)) {
        await once(left, "left", { signal: patience }).catch(() => undefined);
        if (!patience.aborted || !isFull(who)) continue;
        const mine = countOf(who);
        if (mine >= mostOfOne)
          throw tooManyRequests(`You have ${mine} exports under way already.`, 5);
        throw unavailable("Too many exports are under way.", 10);
      }
      inside.push(who);
    },
    leave(who: bigint) {
      inside.splice(inside.indexOf(who), 1);
      left.emit("left");
    },
  };
}

/** Begins a snapshot on a connection that is its own until `close` or `cut`, after which `ended` is called. */
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
  // A connection does one thing at a time: whoever asks for two at once waits here.
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
