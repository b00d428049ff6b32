import { channelOf, type Channel } from "../channel.ts";
import type { Client } from "../index.ts";
import { orderOf } from "../order.ts";
import { newKey } from "../public-id.ts";
import { exclusive } from "../session-store.ts";
import { bySeq, Changes, isOf, keyOf, nextOf } from "./changes.ts";
import { isFault, reasonOf, retryDelays, type RetryDelay } from "./failures.ts";
import { getOrMake } from "./get-or-make.ts";
import { send } from "./send.ts";
import type { Entry, Persistence } from "./types.ts";
import type { Waiting } from "./waiting.ts";
import type { ConnectionState } from "./connection.ts";

/** What the outbox informs its store of. */
type OutboxHandlers = {
  /** The changes that are not confirmed yet are no longer the same. */
  onChange: () => void;
  /** The service has accepted a change. */
  onAccepted(entry: Entry): void;
  /** The service has refused a change. */
  onFailed(entry: Entry): void;
  /** What requests say about the connection. */
  connection: ConnectionState;
};

/** What the tabs of a site send each other about their changes. */
type TabMessage =
  | { type: "added" | "failed"; entry: Entry }
  | { type: "accepted"; id: string; until: string | null }
  | { type: "removed"; id: string }
  | { type: "purged"; boardPublicId: string | undefined };

/** Sends the changes one at a time from one of the tabs, those of a resource in their order. */
export class Outbox {
  readonly changes: Changes;
  /** Resolves when the changes of an earlier run are known. */
  loaded: Promise<void> = Promise.resolve();
  readonly #client: Client;
  readonly #storage: Persistence;
  /** Names the turns to send: tabs without a common storage do not wait for each other. */
  readonly #name: string;
  readonly #handlers: OutboxHandlers;
  readonly #channel: Channel<TabMessage> | undefined;
  readonly #waiting: Waiting;
  /** The ids of changes that were purged, perhaps while they were sent, or sent by another tab. */
  readonly #gone = new Set<string>();
  /** The ids of changes that the service fails, until they are sent again. */
  readonly #held = new Set<string>();
  readonly #retries = new Map<string, RetryDelay>();
  /** Whether this tab waits for its turn to send. */
  #isQueued = false;

  /** `name`: that of the storage, if other tabs use it too. */
  constructor(
    client: Client,
    storage: Persistence,
    waiting: Waiting,
    name: string | undefined,
    handlers: OutboxHandlers,
  ) {
    this.#client = client;
    this.#storage = storage;
    this.#waiting = waiting;
    this.#name = name ?? newKey();
    this.#handlers = handlers;
    this.changes = new Changes(handlers.onChange);
    this.#channel = channelOf(name, (message) => this.#receive(message));
  }

  /** Loads the changes of an earlier run, and sends them. */
  async load(): Promise<void> {
    this.loaded = this.#insertStored();
    await this.loaded;
    await this.#drain();
  }

  async #insertStored(): Promise<void> {
    for (const entry of await this.#stored())
      if (!this.#gone.has(entry.id)) this.changes.insert(entry);
  }

  /** Adds a change. It is stored before it is sent. */
  add(fields: Omit<Entry, "seq">): void {
    // Later than all others, also when the clock was set back.
    const last = parseInt(this.changes.pending.at(-1)?.seq ?? "0", 36);
    const seq = Math.max(last + 1, Date.now() * 1000);
    const entry: Entry = { ...fields, seq: seq.toString(36).padStart(12, "0") };
    this.changes.insert(entry, true);
    void this.#store(entry);
  }

  async #store(entry: Entry): Promise<void> {
    await this.#storage.set(keyOf(entry), entry);
    this.#channel?.post({ type: "added", entry });
    await this.#drain();
  }

  async #stored(): Promise<Entry[]> {
    return (await this.#storage.entries("change/")).map(([, value]) => value as Entry);
  }

  /** Sends a failed change again, with another key and without the version that it asked for. */
  retry(id: string): void {
    const failed = this.discard(id);
    if (failed === undefined) return;
    const { error: _error, ifVersion: _version, ...entry } = failed;
    this.add({ ...entry, id: newKey() });
  }

  discard(id: string): Entry | undefined {
    const [discarded] = this.changes.remove(
      (entry) => entry.id === id && entry.error !== undefined,
    );
    if (discarded === undefined) return undefined;
    this.#channel?.post({ type: "removed", id });
    void this.#storage.delete(keyOf(discarded));
    return discarded;
  }

  /** Removes the accepted changes of a board whose events its copy has. */
  settle(boardPublicId: string, order: string): Entry[] {
    return this.changes.remove(
      (change) =>
        change.boardPublicId === boardPublicId &&
        change.until !== undefined &&
        change.until <= order,
    );
  }

  /** Lets the next read of a board confirm its accepted changes: their orders are of a lost log. */
  forgetOrders(boardPublicId: string): void {
    for (const { id, until } of this.changes.pending.filter(isOf(boardPublicId))) {
      if (until !== undefined) this.changes.update(id, { until: "" });
    }
  }

  /** Drops the changes of a board, or of all boards. */
  async purge(boardPublicId?: string): Promise<void> {
    this.#drop(boardPublicId);
    this.#channel?.post({ type: "purged", boardPublicId });
    for (const entry of (await this.#stored()).filter(isOf(boardPublicId))) {
      this.#gone.add(entry.id);
      await this.#storage.delete(keyOf(entry));
    }
  }

  readonly close = (): void => this.#channel?.close();

  /** Sends the changes, unless another tab does it. */
  async #drain(): Promise<void> {
    if (this.#isQueued) return;
    this.#isQueued = true;
    await exclusive(this.#name, () => {
      this.#isQueued = false;
      return this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    while (!this.#waiting.isClosed) {
      const stored = await this.#stored();
      // The store was closed meanwhile: another user may have signed in.
      if (this.#waiting.isClosed) return;
      // Another tab has sent it, and this one has missed the message.
      this.changes.remove(
        ({ id, isOwn, state }) =>
          isOwn === false && state === "waiting" && stored.every((entry) => entry.id !== id),
      );
      const unsent = stored.filter(({ id, error }) => error === undefined && !this.#gone.has(id));
      const entry = nextOf(unsent.toSorted(bySeq), this.#held);
      if (entry === undefined) return;
      // Another tab may have added it.
      this.changes.insert(entry);
      await this.#send(entry);
    }
  }

  /** Sends one change. It stays when another attempt may succeed. */
  async #send(entry: Entry): Promise<void> {
    const { id } = entry;
    this.changes.update(id, { state: "sending" });
    const { until, error } = await send(this.#client, entry, this.#waiting.signal);
    // This store cannot inform others: the next one sends it again, which has one effect.
    if (this.#waiting.isClosed) return;
    if (error === undefined) {
      this.#channel?.post({ type: "accepted", id, until });
      this.#accept(id, until);
      return this.#storage.delete(keyOf(entry));
    }
    this.changes.update(id, { state: "waiting" });
    const delayMs = getOrMake(this.#retries, id, retryDelays)(error);
    if (delayMs !== undefined) {
      this.#handlers.connection.interrupt(error);
      const waited = this.#waiting.wait(delayMs);
      if (!isFault(error)) return waited;
      // Changes of other resources are sent meanwhile.
      this.#held.add(id);
      void waited.then(() => void this.#held.delete(id)).then(() => this.#drain());
      return;
    }
    if (this.#gone.has(id)) return;
    const failed = { ...entry, error: reasonOf(error) };
    this.#channel?.post({ type: "failed", entry: failed });
    await this.#storage.set(keyOf(entry), failed);
    this.#replace(failed);
  }

  #replace(failed: Entry): void {
    this.changes.delete(failed.id);
    this.changes.insert(failed);
    this.#handlers.onFailed(failed);
  }

  #accept(id: string, until: string | null): void {
    const accepted = this.changes.find(id);
    if (accepted === undefined) return void this.#gone.add(id);
    this.changes.update(id, { state: "sent", until: until === null ? "" : orderOf(until) });
    this.#handlers.onAccepted(accepted);
  }

  #receive(message: TabMessage): void {
    if (message.type === "purged") this.#drop(message.boardPublicId);
    else if (message.type === "removed") this.changes.delete(message.id);
    else if (message.type === "accepted") this.#accept(message.id, message.until);
    else if (message.type === "failed") this.#replace(message.entry);
    else {
      this.changes.insert(message.entry);
      // When the other tab ends, this one sends.
      void this.#drain();
    }
  }

  #drop(boardPublicId?: string): void {
    for (const { id } of this.changes.remove(isOf(boardPublicId))) this.#gone.add(id);
  }
}
