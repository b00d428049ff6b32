import type { LogOwner } from "../../kernel/events/hub.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { LogTail, type LogTailDeps } from "./log-tail.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { sql } from "../../platform/db/sql.ts";

/** So many logs are read at a time: the rest waits, so that calls find a connection. */
const readersAtOnce = 2;

// Which logs have more in them than has been told: one statement, however many are followed.
const newsOf = (workspaceIds: bigint[], transactionIds: bigint[], eventIds: bigint[]) =>
  sql`SELECT t.id FROM unnest(${workspaceIds}::bigint[], ${transactionIds}::bigint[], ${eventIds}::bigint[]) AS t(id, "transactionId", after)
  WHERE EXISTS (SELECT 1 FROM events e WHERE e."workspaceId" = t.id AND (e."transactionId", e.id) > (t."transactionId", t.after))`;

/** The topics that somebody uses in this process. */
export class LogTails {
  readonly #deps: LogTailDeps;
  readonly #bell: Deps["notifier"];
  readonly #used = new Map<bigint, { topic: LogTail; users: number }>();
  readonly #turns: KeyedQueue<LogTail>;
  #deafen: (() => void) | undefined;

  constructor(deps: LogTailDeps, bell: Deps["notifier"]) {
    this.#deps = deps;
    this.#bell = bell;
    this.#turns = new KeyedQueue(readersAtOnce, (topic) => this.#read(topic));
  }

  /** How many there are. */
  get size(): number {
    return this.#used.size;
  }

  /** The topic of a workspace, open; `letGo` says, once, that it is not used any more. */
  async use(home: LogOwner): Promise<{ topic: LogTail; letGo: () => void }> {
    const known = this.#used.get(home.id);
    const entry = known ?? {
      topic: new LogTail(this.#deps, home, (topic) => this.#turns.add(topic)),
      users: 0,
    };
    entry.users++;
    this.#used.set(home.id, entry);
    this.#deafen ??= this.#bell.subscribe((id) => {
      const rung = this.#used.get(id);
      if (rung !== undefined) this.#turns.add(rung.topic);
    });
    const letGo = () => this.#letGo(entry);
    try {
      await entry.topic.open();
    } catch (error) {
      letGo();
      throw error;
    }
    return { topic: entry.topic, letGo };
  }

  #letGo(entry: { topic: LogTail; users: number }): void {
    entry.users--;
    if (entry.users > 0) return;
    entry.topic.close();
    this.#used.delete(entry.topic.home.id);
    if (this.#used.size > 0) return;
    this.#deafen?.();
    this.#deafen = undefined;
  }

  async #read(topic: LogTail): Promise<void> {
    if (this.#used.get(topic.home.id)?.topic !== topic) return;
    try {
      await topic.open();
      await topic.read();
    } catch (error) {
      // The next poll tries again.
      this.#deps.log.warn({ err: error }, "the events of a workspace could not be read");
    }
  }

  /** Finds what no ring has told of. */
  async poll(): Promise<void> {
    const topics = [...this.#used.values()].map(({ topic }) => topic);
    if (topics.length === 0) return;
    const found = await this.#deps.db.read<{ id: bigint }>(
      newsOf(
        topics.map(({ home }) => home.id),
        topics.map(({ position }) => position.transactionId),
        topics.map(({ position }) => position.id),
      ),
    );
    const news = new Set(found.map(({ id }) => id));
    for (const topic of topics) {
      if (news.has(topic.home.id)) this.#turns.add(topic);
      else topic.quiet();
    }
  }
}
