import type { Client } from "../index.ts";
import { newKey } from "../public-id.ts";
import { exclusive } from "../session-store.ts";
import { delayOf } from "../transport.ts";
import { channelOf, type Channel, type TabMessage } from "./channel.ts";
import { Changes } from "./changes.ts";
import { countFaults, reasonOf, type MayPass } from "./failures.ts";
import type { OutboxHandlers } from "./outbox-handlers.ts";
import { orderOf } from "./feeds.ts";
import { send } from "./send.ts";
import type { Entry, Persistence } from "./types.ts";
import type { Waiting } from "./waiting.ts";

const keyOf = ({ boardPublicId, seq, id }: Entry) => `change/${boardPublicId}/${seq}/${id}`;

/** Sends the changes one at a time per board, in their order, from one of the tabs. */
export class Outbox {
  readonly changes: Changes;
  readonly #client: Client;
  readonly #storage: Persistence;
  /** Names the turns to send: tabs without a common storage do not wait for each other. */
  readonly #name: string;
  readonly #handlers: OutboxHandlers;
  readonly #channel: Channel | undefined;
  /** The boards whose changes wait to be sent. */
  readonly #queued = new Set<string>();
  readonly #waiting: Waiting;
  /** The ids of changes that were purged, perhaps while they were sent. */
  readonly #purged = new Set<string>();
  #last = 0;

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
    for (const [, value] of await this.#storage.entries("change/")) {
      this.changes.insert(value as Entry);
    }
    for (const { boardPublicId } of this.changes.pending) void this.#drain(boardPublicId);
  }

  /** Adds a change. It is stored before it is sent. */
  add(fields: Omit<Entry, "seq">): void {
    this.#last = Math.max(this.#last + 1, Date.now() * 1000);
    const entry: Entry = { ...fields, seq: this.#last.toString(36).padStart(12, "0") };
    this.changes.insert(entry);
    void this.#store(entry);
  }

  async #store(entry: Entry): Promise<void> {
    await this.#storage.set(keyOf(entry), entry);
    this.#channel?.post({ type: "added", entry });
    await this.#drain(entry.boardPublicId);
  }

  /** Sends a failed change again, with another key and without the version that it asked for. */
  retry(id: string): void {
    const found = this.discard(id);
    if (found === undefined) return;
    const { error: _error, ifVersion: _version, ...entry } = found;
    this.add({ ...entry, id: newKey() });
  }

  discard(id: string): Entry | undefined {
    const [found] = this.changes.remove((entry) => entry.id === id && entry.error !== undefined);
    if (found === undefined) return undefined;
    this.#channel?.post({ type: "removed", id });
    void this.#storage.delete(keyOf(found));
    return found;
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

  /** Drops the changes of a board, or of all boards. */
  async purge(boardPublicId?: string): Promise<void> {
    this.#drop(boardPublicId);
    this.#channel?.post({ type: "purged", boardPublicId });
    const prefix = boardPublicId === undefined ? "change/" : `change/${boardPublicId}/`;
    for (const [key, value] of await this.#storage.entries(prefix)) {
      this.#purged.add((value as Entry).id);
      await this.#storage.delete(key);
    }
  }

  close(): void {
    this.#channel?.close();
  }

  /** Sends the changes of a board, unless another tab does it. */
  async #drain(boardPublicId: string): Promise<void> {
    if (this.#queued.has(boardPublicId)) return;
    this.#queued.add(boardPublicId);
    await exclusive(`${this.#name} ${boardPublicId}`, () => {
      this.#queued.delete(boardPublicId);
      return this.#sendAll(boardPublicId);
    });
  }

  async #sendAll(boardPublicId: string): Promise<void> {
    let mayPass = countFaults();
    for (let attempts = 0; !this.#waiting.isClosed;) {
      const stored = await this.#storage.entries(`change/${boardPublicId}/`);
      const entry = stored
        .map(([, value]) => value as Entry)
        .find(({ id, error }) => error === undefined && !this.#purged.has(id));
      if (entry === undefined) return;
      // Another tab may have added it.
      this.changes.insert(entry);
      if (await this.#send(entry, mayPass)) {
        attempts = 0;
        mayPass = countFaults();
      } else await this.#waiting.wait(delayOf(++attempts));
    }
  }

  /** Sends one change. False when another attempt may succeed. */
  async #send(entry: Entry, mayPass: MayPass): Promise<boolean> {
    const { id } = entry;
    this.changes.update(id, { state: "sending" });
    const { until, error } = await send(this.#client, entry);
    // This store cannot inform others: the next one sends it again, which has one effect.
    if (this.#waiting.isClosed) return false;
    if (error === undefined) {
      this.#channel?.post({ type: "accepted", id, until });
      this.#accept(id, until);
      await this.#storage.delete(keyOf(entry));
      return true;
    }
    this.changes.update(id, { state: "waiting" });
    const isFinal = !mayPass(error);
    if (isFinal) await this.#fail({ ...entry, error: reasonOf(error) });
    else this.#handlers.connection.interrupt(error);
    return isFinal;
  }

  async #fail(entry: Entry): Promise<void> {
    if (this.#purged.has(entry.id)) return;
    this.#channel?.post({ type: "failed", entry });
    await this.#storage.set(keyOf(entry), entry);
    this.#replace(entry);
  }

  #replace(failed: Entry): void {
    this.changes.remove(({ id }) => id === failed.id);
    this.changes.insert(failed);
    this.#handlers.onFailed(failed);
  }

  #accept(id: string, until: string | null): void {
    const found = this.changes.find(id);
    if (found === undefined) return;
    if (until === null) this.changes.remove((change) => change.id === id);
    else this.changes.update(id, { state: "sent", until: orderOf(until) });
    this.#handlers.onAccepted(found);
  }

  #receive(message: TabMessage): void {
    if (message.type === "purged") this.#drop(message.boardPublicId);
    else if (message.type === "removed") this.changes.remove(({ id }) => id === message.id);
    else if (message.type === "accepted") this.#accept(message.id, message.until);
    else if (message.type === "failed") this.#replace(message.entry);
    else {
      this.changes.insert(message.entry);
      // When the other tab ends, this one sends.
      void this.#drain(message.entry.boardPublicId);
    }
  }

  #drop(boardPublicId?: string): void {
    const removed = this.changes.remove(
      (entry) => boardPublicId === undefined || entry.boardPublicId === boardPublicId,
    );
    for (const { id } of removed) this.#purged.add(id);
  }
}
