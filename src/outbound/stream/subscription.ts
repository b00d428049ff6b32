import { tracked } from "@trpc/server";
import type { Credential } from "../../kernel/access/credential.ts";
import { positionAfter, type LogPosition } from "../../kernel/events/cursor.ts";
import type { StreamSignal, Tracked } from "../../kernel/events/hub.ts";
import type { LogReader } from "../../kernel/events/log-sql.ts";
import type { Failure } from "../../platform/errors.ts";
import type { Listener, LogItem, LogTail } from "./log-tail.ts";
import { OpenStream, type StreamLife } from "./open-stream.ts";
import type { Presenter } from "./presenter.ts";

const pageSize = 100;
/** How many events wait for a client before it must read from the log again. */
const maxWaiting = 500;

/** Which events a subscription sends, and from where. */
type Options = { reader: LogReader; from: { position: LogPosition; cursor: string } };

/** One open stream: the missed events from the log, then the new ones from the tail, gapless. */
export class Subscription<Item> extends OpenStream<Item | StreamSignal> implements Listener<Item> {
  readonly reader: LogReader;
  readonly #presenter: Presenter<Item>;
  readonly #tail: LogTail<Item>;
  /** The events of the tail that wait to be sent. */
  #waiting: LogItem<Item>[] = [];
  /** Whether events were dropped since it joined the tail. */
  #isFull = false;
  #position: LogPosition;
  #cursor: string;
  #isLive = false;
  /** Whether events were dropped after the client had caught up. */
  #isSlow = false;

  constructor(
    presenter: Presenter<Item>,
    tail: LogTail<Item>,
    { reader, from }: Options,
    life: StreamLife,
  ) {
    super(life);
    this.reader = reader;
    this.#presenter = presenter;
    this.#tail = tail;
    this.#position = from.position;
    this.#cursor = from.cursor;
  }

  /** The cursor after all sent events, and those that the client cannot see. */
  get cursor(): string {
    const isCaughtUp = this.#isLive && this.#waiting.length === 0 && !this.#isFull;
    return isCaughtUp && this.#position.number < this.#tail.position.number
      ? this.#tail.cursor
      : this.#cursor;
  }

  get credential(): Credential {
    return this.reader.credential;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  receive(items: readonly LogItem<Item>[]): void {
    if (this.isOver || this.#isFull) return;
    const space = maxWaiting - this.#waiting.length;
    this.#waiting.push(...items.slice(0, space));
    this.#isFull = items.length > space;
    this.#isSlow ||= this.#isFull && this.#isLive;
    if (this.#waiting.length > 0) this.wake();
  }

  override refuse(failure: Failure): void {
    this.#clear();
    super.refuse(failure);
  }

  #clear(): void {
    this.#waiting = [];
    this.#isFull = false;
  }

  /** Ends the stream after the events that wait. */
  override end(reason: Failure | "over"): void {
    this.#tail.listeners.delete(this);
    super.end(reason);
  }

  override close(): void {
    this.#tail.listeners.delete(this);
    super.close();
  }

  protected async *items(): AsyncGenerator<Tracked<Item | StreamSignal>, void> {
    yield this.#signal("ready");
    while (this.isOpen) {
      yield* this.#readPast(await this.#join());
      this.#isLive = true;
      yield* this.#readWaiting();
      this.#isLive = false;
      if (this.ended !== undefined) break;
      if (this.#isSlow) yield this.#signal("resync");
    }
  }

  #signal(type: StreamSignal["type"]): Tracked<StreamSignal> {
    const cursor = this.#cursor;
    return tracked<StreamSignal>(cursor, { type, cursor });
  }

  /** Joins the tail; returns the position where the tail's events start. */
  async #join(): Promise<LogPosition> {
    this.#clear();
    this.#isSlow = false;
    const position = await this.#tail.admit(this);
    // It may have ended meanwhile.
    if (!this.isOpen || this.ended !== undefined) this.#tail.listeners.delete(this);
    return position;
  }

  /** Sends the events between the client's position and the tail's from the log. */
  async *#readPast(until: LogPosition): AsyncGenerator<Tracked<Item>, void> {
    while (this.isOpen && !this.isOver && this.#position.number < until.number) {
      const range = { after: this.#position, until, limit: pageSize };
      const page = await this.#presenter.readPage(this.#tail, this.reader, range);
      for (const item of page.items) {
        if (!this.isOpen || this.isOver) return;
        yield this.#send(item);
      }
      this.#position = page.end;
      this.#cursor = this.#tail.cursors.write(page.end, page.at ?? this.now());
    }
  }

  /** Sends the tail's events until some were dropped. */
  async *#readWaiting(): AsyncGenerator<Tracked<Item>, void> {
    while (this.isOpen) {
      const event = this.#waiting.shift();
      if (event !== undefined) {
        if (this.#position.number < event.row.number) yield this.#send(event);
      } else if (this.#isFull || this.isOver) {
        return;
      } else {
        await this.wait();
      }
    }
  }

  #send({ row, item }: LogItem<Item>): Tracked<Item> {
    this.#position = positionAfter(row);
    [this.#cursor] = item;
    this.count++;
    return item;
  }
}
