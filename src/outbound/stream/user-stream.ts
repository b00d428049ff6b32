import { tracked } from "@trpc/server";
import type { UserEvent, UserStreamItem } from "../../contract/user-events.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import type { EventStream, Tracked, TrackedItem } from "../../kernel/events/hub.ts";
import { writeUserCursor, positionAfter, type LogPosition } from "../../kernel/events/cursor.ts";
import type { Seal } from "../../platform/crypto/seal.ts";
import { Failure } from "../../platform/errors.ts";
import { Merge } from "./merge.ts";
import type { Subscription } from "./subscription.ts";

/** When fewer events than this wait for a client, more are read. */
const maxWaiting = 100;

/** An event of the user with its position; without an event when it is not visible. */
export type UserLogItem = { position: LogPosition; event: UserEvent | undefined };

type Options = { userId: bigint; credential: Credential; position: LogPosition; until: Date };
type Deps = { seal: Seal; clock: () => Date; config: { EVENT_DAYS: number } };

/** The stream of a user: the user's own events, and the logs of some workspaces. */
export class UserStream implements EventStream<UserStreamItem> {
  readonly userId: bigint;
  readonly credential: Credential;
  count = 0;
  ping: (() => void) | undefined;
  cut: (() => void) | undefined;
  readonly #deps: Deps;
  readonly #until: Date;
  readonly #logs: Map<string, Subscription>;
  readonly #cursors = new Map<string, string>();
  readonly #merge: Merge<string, TrackedItem>;
  readonly #onClose: () => void;
  readonly #ended: string[] = [];
  #logItems: UserLogItem[] = [];
  #position: LogPosition;
  #isOpen = true;
  #end: Failure | "over" | undefined;
  #wake: (() => void) | undefined;

  /** `logs` are the subscriptions by workspace. Calls `onClose` once, at the end. */
  constructor(deps: Deps, options: Options, logs: Map<string, Subscription>, onClose: () => void) {
    this.userId = options.userId;
    this.credential = options.credential;
    this.#deps = deps;
    this.#position = options.position;
    this.#until = options.until;
    this.#logs = logs;
    this.#onClose = onClose;
    this.#merge = new Merge(() => this.#wake?.());
    for (const [id, { cursor }] of logs) this.#cursors.set(id, cursor);
  }

  /** The position up to which the user's events were read. */
  get position(): LogPosition {
    return this.#logItems.at(-1)?.position ?? this.#position;
  }

  /** Whether its client has taken most events of the user that were read. */
  get hasCapacity(): boolean {
    return this.#logItems.length < maxWaiting;
  }

  get cursor(): string {
    for (const [id, log] of this.#logs) {
      if (!this.#merge.isReady(id)) this.#cursors.set(id, log.cursor);
    }
    return this.#write();
  }

  #write(): string {
    const { seal, clock, config } = this.#deps;
    const position = { user: this.#position, logs: this.#cursors };
    const of = { userId: this.userId, days: config.EVENT_DAYS };
    return writeUserCursor(seal, of, position, clock());
  }

  get isOver(): boolean {
    if (this.#end === undefined && this.#deps.clock() >= this.#until) this.end("over");
    return this.#end !== undefined;
  }

  /** Adds events of the user. */
  receive(items: UserLogItem[]): void {
    this.#logItems.push(...items);
    this.#wake?.();
  }

  /** Ends the stream without the waiting events: the credential is no longer valid. */
  refuse(failure: Failure): void {
    this.end(failure);
  }

  /** Ends the stream with a failure, or so that the client reconnects. */
  end(reason: Failure | "over"): void {
    this.#end ??= reason;
    this.#wake?.();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const log of this.#logs.values()) log.close();
    this.#merge.clear();
    this.#onClose();
    this.#wake?.();
  }

  /** Sends all items. Ends by throwing, as the stream of a workspace does. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Tracked<UserStreamItem>, void> {
    try {
      yield this.#about("ready");
      for (const [id, log] of this.#logs) {
        this.#merge.add(id, log, (error) => this.#endLog(id, error));
      }
      while (this.#isOpen && this.#end === undefined) {
        const item = this.#next();
        if (item !== undefined) yield item;
        else if (!this.isOver) await this.#wait();
      }
    } finally {
      this.close();
    }
    if (this.#end === "over") {
      throw new DOMException("The stream has reached its time limit.", "AbortError");
    }
    if (this.#end !== undefined) throw this.#end;
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  // Leaving a workspace ends only its log; an expired credential ends the whole stream.
  #endLog(id: string, error: unknown): void {
    const isRefused = error instanceof Failure && error.failure !== "UNAUTHORIZED";
    if (!this.#isOpen) return;
    if (!isRefused) return this.end(error instanceof Failure ? error : "over");
    this.#ended.push(id);
    this.#wake?.();
  }

  #next(): Tracked<UserStreamItem> | undefined {
    const logItem = this.#logItems.shift();
    if (logItem !== undefined) {
      this.#position = positionAfter(logItem.position);
      return logItem.event === undefined ? this.#next() : this.#send(logItem.event);
    }
    const merged = this.#merge.take();
    if (merged !== undefined) {
      const [cursor, item] = merged.item;
      this.#cursors.set(merged.source, cursor);
      if (item.type === "ready") return this.#next();
      if (item.type === "resync") return this.#about("resync", merged.source);
      return this.#send({ ...item });
    }
    const ended = this.#ended.shift();
    if (ended === undefined) return undefined;
    this.#logs.delete(ended);
    this.#cursors.delete(ended);
    return this.#about("ended", ended);
  }

  #about(type: "ready" | "resync" | "ended", workspacePublicId = ""): Tracked<UserStreamItem> {
    const cursor = this.#write();
    const item = type === "ready" ? { type, cursor } : { type, cursor, workspacePublicId };
    return tracked<UserStreamItem>(cursor, item);
  }

  #send(item: UserStreamItem): Tracked<UserStreamItem> {
    this.count++;
    return tracked<UserStreamItem>(this.#write(), item);
  }
}
