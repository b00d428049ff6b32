import type { Deps } from "../../kernel/request/deps.ts";
import type { LogOwner } from "../../kernel/events/hub.ts";
import { changedLogs, workspaceLog } from "../../kernel/events/log-sql.ts";
import { LogTail, type LogTailDeps } from "./log-tail.ts";

/** Runs a task for each added key: a limited number at a time, and one at a time for each key. */
class KeyedQueue<Key> {
  readonly #concurrency: number;
  readonly #task: (key: Key) => Promise<void>;
  readonly #waiting = new Set<Key>();
  readonly #running = new Set<Key>();

  /** `task` must not reject. */
  constructor(concurrency: number, task: (key: Key) => Promise<void>) {
    this.#concurrency = concurrency;
    this.#task = task;
  }

  /** Queues a key. A key that is added while its task runs, runs again. */
  add(key: Key): void {
    this.#waiting.add(key);
    this.#start();
  }

  #start(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#task(key).finally(() => {
        this.#running.delete(key);
        this.#start();
      });
    }
  }
}

/** How many logs are read at a time, so that requests find a database connection. */
const concurrency = 2;

type Entry = { tail: LogTail; users: number };

/** The log tails that this process uses. */
export class LogTails {
  readonly #deps: LogTailDeps;
  readonly #notifier: Deps["notifier"];
  readonly #entries = new Map<bigint, Entry>();
  readonly #reads: KeyedQueue<LogTail>;
  #unsubscribe: (() => void) | undefined;

  constructor(deps: LogTailDeps, notifier: Deps["notifier"]) {
    this.#deps = deps;
    this.#notifier = notifier;
    this.#reads = new KeyedQueue(concurrency, (tail) => this.#read(tail));
  }

  /** How many tails are in use. */
  get size(): number {
    return this.#entries.size;
  }

  /** Opens the tail of a workspace. The caller must call `release` once. */
  async use(owner: LogOwner): Promise<{ tail: LogTail; release: () => void }> {
    const entry = this.#entryOf(owner);
    entry.users++;
    this.#unsubscribe ??= this.#notifier.subscribe(({ workspaceId }) => {
      const changed = workspaceId === null ? undefined : this.#entries.get(workspaceId);
      if (changed !== undefined) this.#reads.add(changed.tail);
    });
    const release = () => this.#release(entry);
    try {
      await entry.tail.open();
    } catch (error) {
      release();
      throw error;
    }
    return { tail: entry.tail, release };
  }

  #entryOf(owner: LogOwner): Entry {
    const known = this.#entries.get(owner.id);
    if (known !== undefined) return known;
    const tail = new LogTail(this.#deps, owner, (one) => this.#reads.add(one));
    const entry = { tail, users: 0 };
    this.#entries.set(owner.id, entry);
    return entry;
  }

  #release(entry: Entry): void {
    entry.users--;
    if (entry.users > 0) return;
    this.#entries.delete(entry.tail.owner.id);
    if (this.#entries.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  async #read(tail: LogTail): Promise<void> {
    if (this.#entries.get(tail.owner.id)?.tail !== tail) return;
    try {
      await tail.open();
      await tail.read();
    } catch (error) {
      // The next poll reads again.
      this.#deps.log.warn({ err: error }, "reading the events of a workspace failed");
    }
  }

  /** Finds events of which no notification arrived. */
  async poll(): Promise<void> {
    const tails = [...this.#entries.values()].map(({ tail }) => tail);
    if (tails.length === 0) return;
    const read = tails.map(({ owner, position }) => ({ id: owner.id, position }));
    const found = await this.#deps.db.read<{ id: bigint }>(changedLogs(workspaceLog(0n), read));
    const changed = new Set(found.map(({ id }) => id));
    for (const tail of tails) {
      if (changed.has(tail.owner.id)) this.#reads.add(tail);
      else tail.refreshCursor();
    }
  }
}
