import pg from "pg";
import type { Logger } from "pino";
import { unavailable } from "../errors.ts";
import { bigints } from "./client.ts";
import { noDatabase, withAvailability } from "./database-errors.ts";
import { send, sendWithin } from "./prepared-query.ts";
import { deadlineOf, sessionOf, statementMs } from "./session.ts";
import { createSlots, maxSnapshots, type Slot, type SlowReaders } from "./snapshot-slots.ts";
import type { Sql } from "./sql.ts";
import { beginSnapshot } from "./transaction.ts";
import type { Query } from "./query.ts";

/** A snapshot of the database. `close` waits for running reads; `cut` does not. */
export type Snapshot = { query: Query; close: () => Promise<void>; cut: () => void };

/** Opens snapshots on separate connections, a limited number per user. */
export type Snapshots = { open(userId: bigint): Promise<Snapshot>; close(): Promise<void> };

// An idle reader loses the snapshot after this time: a snapshot blocks vacuuming.
const idleMs = 60_000;
/** How long a statement of a snapshot may take. */
const snapshotMs = 30_000;
const times = {
  statement_timeout: String(snapshotMs),
  idle_in_transaction_session_timeout: String(idleMs),
};

const slowReaders: SlowReaders = { pauseMs: 1_000, totalMs: 10_000, idleMs: 60_000 };

/** The snapshots of a database; nothing is connected before the first. */
export function createSnapshots(url: string, log: Logger, slow = slowReaders): Snapshots {
  const session = sessionOf(url, {}, times);
  const pool = new pg.Pool({
    ...session.config,
    Client: session.Client,
    max: maxSnapshots,
    application_name: "workspace-board-service exports",
    idleTimeoutMillis: 10_000,
    types: bigints,
    onConnect: session.prepare,
  });
  pool.on("error", (error) => {
    if (!pool.ending) log.warn({ err: noDatabase(error) }, "idle database connection lost");
  });
  const slots = createSlots(slow);
  return {
    async open(userId) {
      const slot = await slots.acquire(userId);
      try {
        const { query, close, cut } = await begin(pool, slot);
        slot.cut = cut;
        return { query, close, cut };
      } catch (error) {
        slot.release();
        log.warn({ err: error }, "opening a snapshot failed");
        throw noDatabase(error);
      }
    },
    async close() {
      slots.cutAll();
      await pool.end();
    },
  };
}

/** Begins a snapshot on a connection that is its own until `close` or `cut`. */
async function begin(pool: pg.Pool, slot: Slot) {
  const client = await pool.connect();
  try {
    await send(client, beginSnapshot, { deadlineMs: deadlineOf(statementMs) });
  } catch (error) {
    client.release(true);
    throw error;
  }
  let isOpen = true;
  const end = (broken: boolean) => {
    if (!isOpen) return;
    isOpen = false;
    client.off("error", cut);
    client.release(broken);
    slot.release();
  };
  const cut = () => end(true);
  client.on("error", cut);
  // A connection runs one query at a time: concurrent queries wait here.
  let last: Promise<unknown> = Promise.resolve();
  const query: Query = <Row>(statement: Sql) => {
    const rows = last.then(() => read<Row>(statement));
    last = rows.catch(() => undefined);
    return rows;
  };
  const read = async <Row>(statement: Sql) => {
    if (!isOpen)
      throw unavailable("snapshot_closed", "The snapshot was closed: it was read too slowly.");
    const ended = slot.run();
    return withAvailability(async () => {
      const { rows } = await sendWithin<Row>(client, statement, { longMs: snapshotMs });
      return rows;
    }).finally(ended);
  };
  const close = async () => {
    // A reader that fails may leave behind the next page.
    await last;
    if (isOpen) await client.query("COMMIT").then(() => end(false), cut);
  };
  return { query, close, cut };
}
