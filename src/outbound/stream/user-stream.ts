import { tracked } from "@trpc/server";
import type { StreamItem } from "../../contract/event-envelope.ts";
import type { UserEvent, UserStreamItem } from "../../contract/user-events.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import type { StreamSignal, Tracked } from "../../kernel/events/hub.ts";
import { writeUserCursor } from "../../kernel/events/cursor.ts";
import { Failure } from "../../platform/errors.ts";
import { OpenStream, type StreamLife } from "./open-stream.ts";
import type { Subscription } from "./subscription.ts";

/** A subscription of the user's own log, or of that of a workspace. */
type Log = Subscription<UserEvent> | Subscription<StreamItem>;

/** An item of a log, which waits until it is taken. */
type ReadyItem = {
  log: string;
  item: Tracked<UserEvent | StreamItem | StreamSignal>;
  release: () => void;
};

/** The key of the user's own log; others have the public id of their workspace. */
const own = "";

/** The stream of a user: the user's own events, and the logs of some workspaces. */
export class UserStream extends OpenStream<UserStreamItem> {
  readonly credential: Credential;
  readonly #logs: Map<string, Log>;
  readonly #cursors = new Map<string, string>();
  readonly #ready: ReadyItem[] = [];
  readonly #endedLogs: string[] = [];

  /** `workspaces` are the subscriptions by workspace. */
  constructor(
    ownLog: Subscription<UserEvent>,
    workspaces: ReadonlyMap<string, Subscription<StreamItem>>,
    life: StreamLife,
  ) {
    super(life);
    this.credential = ownLog.credential;
    this.#logs = new Map<string, Log>([[own, ownLog], ...workspaces]);
    for (const [id, { cursor }] of this.#logs) this.#cursors.set(id, cursor);
  }

  get cursor(): string {
    for (const [id, log] of this.#logs) {
      if (!this.#ready.some(({ log: ready }) => ready === id)) this.#cursors.set(id, log.cursor);
    }
    return writeUserCursor(this.#cursors, own);
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

  async #read(log: string, items: Log): Promise<void> {
    for await (const item of items) {
      await new Promise<void>((release) => {
        this.#ready.push({ log, item, release });
        this.wake();
      });
    }
  }

  // Leaving a workspace ends only its log; an expired credential ends the whole stream.
  #endLog(id: string, error: unknown): void {
    const isLeft = id !== own && error instanceof Failure && error.failure !== "UNAUTHORIZED";
    if (!this.isOpen) return;
    if (!isLeft) return this.end(error instanceof Failure ? error : "over");
    this.#endedLogs.push(id);
    this.wake();
  }

  #next(): Tracked<UserStreamItem> | undefined {
    const ready = this.#ready.shift();
    if (ready !== undefined) {
      ready.release();
      const [cursor, item] = ready.item;
      this.#cursors.set(ready.log, cursor);
      if (item.type === "ready") return this.#next();
      if (item.type !== "resync") return this.#send({ ...item });
      return ready.log === own ? this.#next() : this.#about("resync", ready.log);
    }
    const ended = this.#endedLogs.shift();
    if (ended === undefined) return undefined;
    this.#logs.delete(ended);
    this.#cursors.delete(ended);
    return this.#about("ended", ended);
  }

  #about(type: "ready" | "resync" | "ended", workspacePublicId = ""): Tracked<UserStreamItem> {
    const cursor = writeUserCursor(this.#cursors, own);
    const item = type === "ready" ? { type, cursor } : { type, cursor, workspacePublicId };
    return tracked<UserStreamItem>(cursor, item);
  }

  #send(item: UserStreamItem): Tracked<UserStreamItem> {
    this.count++;
    return tracked<UserStreamItem>(writeUserCursor(this.#cursors, own), item);
  }
}
