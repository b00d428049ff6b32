import type { Deps } from "../../kernel/request/deps.ts";
import type { LogOwner } from "../../kernel/events/hub.ts";
import { changedLogs, workspaceLog } from "../../kernel/events/log-sql.ts";
import { FairShare, type ShareLimits } from "../../platform/fair-share.ts";
import { LogTail, type LogTailDeps } from "./log-tail.ts";
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

type Entry = { tail: LogTail; users: number };

/** The log tails that this process uses. */
export class LogTails {
  readonly #deps: LogTailDeps;
  readonly #notifier: Deps["notifier"];
  readonly #entries = new Map<bigint, Entry>();
  readonly #reads = new FairShare(tailShares);
  /** Tails that wait for their next read. */
  readonly #waiting = new Set<LogTail>();
  #unsubscribe: (() => void) | undefined;

  constructor(deps: LogTailDeps, notifier: Deps["notifier"]) {
    this.#deps = deps;
    this.#notifier = notifier;
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
      const entryOfChange = workspaceId === null ? undefined : this.#entries.get(workspaceId);
      if (entryOfChange !== undefined) void this.#read(entryOfChange.tail);
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
    return getOrInsert(this.#entries, owner.id, () => ({
      tail: new LogTail(this.#deps, owner, (tail) => void this.#read(tail)),
      users: 0,
    }));
  }

  #release(entry: Entry): void {
    entry.users--;
    if (entry.users > 0) return;
    this.#entries.delete(entry.tail.owner.id);
    if (this.#entries.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Reads a tail in its turn; if it changes during the read, it is read again. */
  async #read(tail: LogTail): Promise<void> {
    if (this.#waiting.has(tail)) return;
    this.#waiting.add(tail);
    try {
      await this.#reads.run(`workspace ${tail.owner.id}`, async () => {
        this.#waiting.delete(tail);
        if (this.#entries.get(tail.owner.id)?.tail !== tail) return;
        await tail.open();
        await tail.read();
      });
    } catch (error) {
      // The next poll reads again.
      this.#waiting.delete(tail);
      this.#deps.log.warn({ err: error }, "reading the events of a workspace failed");
    }
  }

  /** Finds events of which no notification arrived. */
  async poll(): Promise<void> {
    const tails = [...this.#entries.values()].map(({ tail }) => tail);
    if (tails.length === 0) return;
    const read = tails.map(({ owner, position }) => ({ id: owner.id, position }));
    const rows = await this.#deps.db.read<{ id: bigint }>(changedLogs(workspaceLog(0n), read));
    const changedIds = new Set(rows.map(({ id }) => id));
    for (const tail of tails) {
      if (changedIds.has(tail.owner.id)) void this.#read(tail);
      else tail.refreshCursor();
    }
  }
}
