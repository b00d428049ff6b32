import type { Query } from "../../platform/db/query.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { LogOwner } from "../../kernel/events/hub.ts";
import { readLogs } from "../../kernel/events/log.ts";
import { changedLogs } from "../../kernel/events/log-sql.ts";
import { nameOf, type Log } from "../../kernel/events/logs.ts";
import { FairShare, type ShareLimits } from "../../platform/fair-share.ts";
import { LogTail, type LogDeps } from "./log-tail.ts";
import type { Presenter } from "./presenter.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** How logs are read: two at a time, to leave connections to requests; each by one read. */
export const tailShares: ShareLimits = {
  size: 2,
  perCaller: 1,
  perTenant: 1,
  queue: 10_000,
  queuePerCaller: 2,
  waitMs: 60_000,
};

const batchSize = 200;

type Entry<Item> = { tail: LogTail<Item>; users: number };

/** The tails of the logs of one kind that this process uses. */
export class LogTails<Item> {
  readonly presenter: Presenter<Item>;
  readonly #deps: LogDeps;
  readonly #notifier: Deps["notifier"];
  readonly #entries = new Map<string, Entry<Item>>();
  readonly #reads = new FairShare(tailShares);
  /** Tails that wait for their next read, by whose turn it is. */
  readonly #waiting = new Map<string, Set<LogTail<Item>>>();
  #unsubscribe: (() => void) | undefined;

  constructor(deps: LogDeps, notifier: Deps["notifier"], presenter: Presenter<Item>) {
    this.#deps = deps;
    this.#notifier = notifier;
    this.presenter = presenter;
  }

  /** The tails in use. */
  get tails(): LogTail<Item>[] {
    return [...this.#entries.values()].map(({ tail }) => tail);
  }

  /** Opens the tail of a log. The caller must call `release` once. */
  async use(owner: LogOwner): Promise<{ tail: LogTail<Item>; release: () => void }> {
    const { of } = this.presenter;
    const entry = getOrInsert(this.#entries, nameOf({ of, id: owner.id }), () => ({
      tail: new LogTail<Item>(this.#deps, of, owner),
      users: 0,
    }));
    entry.users++;
    this.#unsubscribe ??= this.#notifier.subscribe(({ log }) => this.read(log));
    const release = () => this.#release(entry);
    try {
      await entry.tail.open();
    } catch (error) {
      release();
      throw error;
    }
    return { tail: entry.tail, release };
  }

  #release(entry: Entry<Item>): void {
    entry.users--;
    if (entry.users > 0) return;
    this.#entries.delete(nameOf(entry.tail.log));
    if (this.#entries.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Reads a log if it is in use. */
  read(log: Log): void {
    const tail = this.#entries.get(nameOf(log))?.tail;
    if (tail !== undefined) void this.#readInTurn(tail);
  }

  /** Reads a tail in its turn; if it changes during the read, it is read again. */
  async #readInTurn(tail: LogTail<Item>): Promise<void> {
    const turn = this.presenter.turnOf(tail.owner);
    const waiting = getOrInsert(this.#waiting, turn, () => new Set());
    const isFirst = waiting.size === 0;
    waiting.add(tail);
    if (!isFirst) return;
    try {
      await this.#reads.run(turn, async () => {
        this.#waiting.delete(turn);
        await this.#readNow([...waiting].filter((one) => this.#isUsed(one)));
      });
    } catch (error) {
      // The next poll reads again.
      this.#waiting.delete(turn);
      this.#deps.log.warn({ err: error }, "reading the events of a log failed");
    }
  }

  #isUsed(tail: LogTail<Item>): boolean {
    return this.#entries.get(nameOf(tail.log))?.tail === tail;
  }

  /** Reads the next batch of each tail, and sends them. */
  async #readNow(tails: LogTail<Item>[]): Promise<void> {
    if (tails.length === 0) return;
    for (const tail of tails) await tail.open();
    const logs = tails.map((tail) => ({ id: tail.log.id, after: tail.begin() }));
    try {
      const reading = { of: this.presenter.of, logs, limit: batchSize };
      const batches = await readLogs(this.#deps.db.read, reading);
      const read = tails.flatMap((tail, nth) => {
        const batch = batches[nth];
        return batch === undefined ? [] : [{ tail, batch }];
      });
      const news = read.flatMap(({ tail, batch: { rows, isAhead } }) =>
        isAhead || rows.length === 0 ? [] : [{ tail, rows }],
      );
      if (news.length > 0) await this.presenter.send(news);
      for (const { tail } of news) for (const notify of tail.watchers) notify();
      for (const { tail, batch } of read) {
        await tail.continueAfter(batch);
        if (batch.hasMore) void this.#readInTurn(tail);
      }
    } finally {
      for (const tail of tails) tail.finish();
    }
  }
}

/** What a poll of several kinds of logs needs of each. */
export type Polled = { tails: LogTail<unknown>[]; read(log: Log): void };

/** Reads the logs that have events of which no notification arrived. */
export async function pollLogs(query: Query, kinds: readonly Polled[]): Promise<void> {
  const tails = kinds.flatMap((kind) => kind.tails);
  if (tails.length === 0) return;
  const changed = await query<Log>(changedLogs(tails));
  const names = new Set(changed.map(nameOf));
  for (const log of changed) for (const kind of kinds) kind.read(log);
  for (const tail of tails) if (!names.has(nameOf(tail.log))) tail.refreshCursor();
}
