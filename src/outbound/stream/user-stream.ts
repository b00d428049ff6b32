import { tracked } from "@trpc/server";
import type { UserEvent, UserStreamItem } from "../../contract/user-events.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import type { Tracked, TrackedItem } from "../../kernel/events/hub.ts";
import { writeUserCursor, positionAfter, type LogPosition } from "../../kernel/events/cursor.ts";
import type { Seal } from "../../platform/crypto/seal.ts";
import { Failure } from "../../platform/errors.ts";
import { OpenStream, type StreamLife } from "./open-stream.ts";
import type { Subscription } from "./subscription.ts";

/** When fewer events than this wait for a client, more are read. */
const maxWaiting = 100;

/** An event of the user with its position; without an event when it is not visible. */
export type UserLogItem = { position: LogPosition; event: UserEvent | undefined };

/** An item of a workspace's log. Its log waits until it is taken. */
type ReadyItem = { log: string; item: TrackedItem; release: () => void };

type Options = { userId: bigint; credential: Credential; position: LogPosition };
type Deps = { seal: Seal; clock: () => Date; config: { EVENT_DAYS: number } };

/** The stream of a user: the user's own events, and the logs of some workspaces. */
export class UserStream extends OpenStream<UserStreamItem> {
  readonly userId: bigint;
  readonly credential: Credential;
  readonly #deps: Deps;
  readonly #logs: Map<string, Subscription>;
  readonly #cursors = new Map<string, string>();
  readonly #ready: ReadyItem[] = [];
  readonly #endedLogs: string[] = [];
  #logItems: UserLogItem[] = [];
  #position: LogPosition;

  /** `logs` are the subscriptions by workspace. */
  constructor(deps: Deps, options: Options, logs: Map<string, Subscription>, life: StreamLife) {
    super(life);
    this.userId = options.userId;
    this.credential = options.credential;
    this.#deps = deps;
    this.#position = options.position;
    this.#logs = logs;
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
      if (!this.#ready.some(({ log: ready }) => ready === id)) this.#cursors.set(id, log.cursor);
    }
    return this.#write();
  }

  #write(): string {
    const { seal, clock, config } = this.#deps;
    const position = { user: this.#position, logs: this.#cursors };
    const of = { userId: this.userId, days: config.EVENT_DAYS };
    return writeUserCursor(seal, of, position, clock());
  }

  /** Adds events of the user. */
  receive(items: UserLogItem[]): void {
    this.#logItems.push(...items);
    this.wake();
  }

  override close(): void {
    for (const log of this.#logs.values()) log.close();
    for (const { release } of this.#ready.splice(0)) release();
    super.close();
  }

  protected async *items(): AsyncGenerator<Tracked<UserStreamItem>, void> {
    yield this.#about("ready");
    for (const [id, log] of this.#logs) {
      this.#read(id, log).then(
        () => this.#endLog(id, undefined),
        (error: unknown) => this.#endLog(id, error),
      );
    }
    while (this.isOpen && this.ended === undefined) {
      const item = this.#next();
      if (item !== undefined) yield item;
      else if (!this.isOver) await this.wait();
    }
  }

  async #read(log: string, items: Subscription): Promise<void> {
    for await (const item of items) {
      await new Promise<void>((release) => {
        this.#ready.push({ log, item, release });
        this.wake();
      });
    }
  }

  // Leaving a workspace ends only its log; an expired credential ends the whole stream.
  #endLog(id: string, error: unknown): void {
    const isRefused = error instanceof Failure && error.failure !== "UNAUTHORIZED";
    if (!this.isOpen) return;
    if (!isRefused) return this.end(error instanceof Failure ? error : "over");
    this.#endedLogs.push(id);
    this.wake();
  }

  #next(): Tracked<UserStreamItem> | undefined {
    const logItem = this.#logItems.shift();
    if (logItem !== undefined) {
      this.#position = positionAfter(logItem.position);
      return logItem.event === undefined ? this.#next() : this.#send(logItem.event);
    }
    const ready = this.#ready.shift();
    if (ready !== undefined) {
      ready.release();
      const [cursor, item] = ready.item;
      this.#cursors.set(ready.log, cursor);
      if (item.type === "ready") return this.#next();
      if (item.type === "resync") return this.#about("resync", ready.log);
      return this.#send({ ...item });
    }
    const ended = this.#endedLogs.shift();
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
