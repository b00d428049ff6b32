import { EventEmitter, once } from "node:events";
import pg from "pg";
import type { Logger } from "pino";
import { tooManyRequests, unavailable } from "../errors.ts";
import { bigints } from "./client.ts";
import { withAvailability } from "./database-errors.ts";
import { queryRows } from "./prepared-query.ts";
import type { Sql } from "./sql.ts";
import type { Query } from "./query.ts";

/** A snapshot of the database. `close` waits for running reads; `cut` does not. */
export type Snapshot = { query: Query; close: () => Promise<void>; cut: () => void };

/** Opens snapshots on separate connections; the number per user `who` is limited. */
export type Snapshots = { open(who: bigint): Promise<Snapshot>; close(): Promise<void> };

/** The maximum numbers of open snapshots in total and per user. */
const most = 4;
const mostOfOne = 2;
/** How long a reader over the limit waits, and how often it looks. */
const patienceMs = 2_000;
const lookMs = 200;
// An idle reader loses the snapshot after this time: a snapshot blocks vacuuming.
const idleMs = 60_000;
const statementMs = 30_000;

/**
 * When a reader counts as slow, and can lose its snapshot to one that waits.
 *
 * It has paused for `totalMs`, where a pause of more than `pauseMs` between two statements counts,
 * or for `idleMs` in pauses of any length: small ones would hold a snapshot for as long as it has
 * pages.
 */
export type SlowReaders = { pauseMs: number; totalMs: number; idleMs: number };
const slowReaders: SlowReaders = { pauseMs: 1_000, totalMs: 10_000, idleMs: 60_000 };

/** The snapshots of a database; nothing is connected before the first. */
export function createSnapshots(url: string, log: Logger, slow = slowReaders): Snapshots {
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
  pool.on("error", (error) => {
    if (!pool.ending) log.warn({ err: error }, "idle database connection lost");
  });
  const slots = createSlots(slow);
  return {
    async open(who) {
      const slot = await slots.acquire(who);
      try {
        const { query, close, cut } = await begin(pool, slot);
        slot.cut = cut;
        return { query, close, cut };
      } catch (error) {
        slot.release();
        log.warn({ err: error }, "opening a snapshot failed");
        throw unavailable("database_unavailable", "The database does not answer.", {
          cause: error,
        });
      }
    },
    async close() {
      slots.cutAll();
      await pool.end();
    },
  };
}

/** One open reader: how long it has paused, and how it ends. */
class Slot {
  readonly who: bigint;
  cut: () => void = () => undefined;
  readonly release: () => void;
  readonly #slow: SlowReaders;
  #idleSince: number | undefined;
  #pausedMs = 0;
  #idleMs = 0;

  constructor(who: bigint, slow: SlowReaders, release: (slot: Slot) => void) {
    this.who = who;
    this.#slow = slow;
    this.release = () => release(this);
  }

  /** Counts a statement as running until the returned function is called. */
  run(): () => void {
    [this.#pausedMs, this.#idleMs] = [this.#paused, this.idleMs];
    this.#idleSince = undefined;
    return () => (this.#idleSince = performance.now());
  }

  /** How long the reader has let the snapshot wait between statements, in ms. */
  get idleMs(): number {
    return this.#idleMs + this.#current;
  }

  get isSlow(): boolean {
    return this.#paused >= this.#slow.totalMs || this.idleMs >= this.#slow.idleMs;
  }

  get #current(): number {
    return this.#idleSince === undefined ? 0 : performance.now() - this.#idleSince;
  }

  get #paused(): number {
    return this.#pausedMs + (this.#current > this.#slow.pauseMs ? this.#current : 0);
  }
}

/** Limits the open snapshots; a reader over the limit waits for its turn, then gets 429 or 503. */
function createSlots(slow: SlowReaders) {
  const open = new Set<Slot>();
  /** Readers that wait, in the order of arrival. */
  const waiting = new Set<{ who: bigint }>();
  const left = new EventEmitter().setMaxListeners(0);
  const release = (slot: Slot) => {
    open.delete(slot);
    left.emit("left");
  };
  const slotsOf = (who: bigint) => [...open].filter((slot) => slot.who === who);
  const blocking = (who: bigint) => {
    const mine = slotsOf(who);
    return mine.length >= mostOfOne ? mine : open.size >= most ? [...open] : [];
  };
  /** Whether a free slot belongs to another one that waits, whose user has fewer or came before. */
  const isTurnOfOther = (reader: { who: bigint }) => {
    const mine = slotsOf(reader.who).length;
    const others = [...waiting];
    const arrived = others.indexOf(reader);
    return others.some(({ who }, index) => {
      const theirs = slotsOf(who).length;
      return who !== reader.who && (theirs < mine || (theirs === mine && index < arrived));
    });
  };
  /** Ends the slowest of some readers, if it is slow. */
  const cutSlowest = (slots: Slot[]) => {
    const [slowest] = slots
      .filter(({ isSlow }) => isSlow)
      .toSorted((one, other) => other.idleMs - one.idleMs);
    slowest?.cut();
  };
  return {
    async acquire(who: bigint): Promise<Slot> {
      const deadline = performance.now() + patienceMs;
      const reader = { who };
      waiting.add(reader);
      try {
        for (;;) {
          cutSlowest(blocking(who));
          if (blocking(who).length === 0 && !isTurnOfOther(reader)) break;
          if (performance.now() > deadline) throw refusal(slotsOf(who).length);
          const signal = AbortSignal.timeout(lookMs);
          await once(left, "left", { signal }).catch(() => undefined);
        }
        const slot = new Slot(who, slow, release);
        open.add(slot);
        return slot;
      } finally {
        waiting.delete(reader);
        left.emit("left");
      }
    },
    cutAll() {
      for (const slot of open) slot.cut();
    },
  };
}

const refusal = (mine: number) =>
  mine >= mostOfOne
    ? tooManyRequests("too_many_exports", `${mine} of your exports are running. Wait for one.`, 5)
    : unavailable("overloaded", "Too many exports are running.", { seconds: 10 });

/** Begins a snapshot on a connection that is its own until `close` or `cut`. */
async function begin(pool: pg.Pool, slot: Slot) {
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
    slot.release();
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
    if (!held)
      throw unavailable("snapshot_closed", "The snapshot was closed: it was read too slowly.");
    const ended = slot.run();
    return withAvailability(() => queryRows<Row>(client, statement)).finally(ended);
  };
  const close = async () => {
    if (held) await client.query("COMMIT").then(() => end(false), cut);
  };
  return { query, close, cut };
}
