import { tracked } from "@trpc/server";
import type { StreamItem } from "../../contract/event-envelope.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import type { CallerMembership } from "../../kernel/access/memberships.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { cursorsOf, positionAfter, type LogPosition } from "../../kernel/events/cursor.ts";
import type { TrackedItem } from "../../kernel/events/hub.ts";
import type { LogReader } from "../../kernel/events/log-sql.ts";
import { readPage } from "../../kernel/events/page.ts";
import type { Failure } from "../../platform/errors.ts";
import { EventBuffer } from "./event-buffer.ts";
import type { Listener, LogTail } from "./log-tail.ts";
import { OpenStream, type StreamLife } from "./open-stream.ts";
import { RenderedEvent } from "./rendered-event.ts";

const pageSize = 100;

/** Which events a subscription sends, and from where. */
type Options = { reader: LogReader; from: { position: LogPosition; cursor: string } };

type SubscriptionDeps = Pick<Deps, "db" | "clock" | "seal" | "config">;

/** The events of a page are redacted: nothing more decides who sees them. */
const noAccess = { boards: new Map(), starters: new Map() };

/** One open stream: the missed events from the log, then the new ones from the tail, gapless. */
export class Subscription extends OpenStream<StreamItem> implements Listener {
  readonly reader: LogReader;
  readonly #deps: SubscriptionDeps;
  readonly #tail: LogTail;
  readonly #buffer: EventBuffer;
  #position: LogPosition;
  #cursor: string;
  #isLive = false;
  /** Whether the buffer overflowed after the client had caught up. */
  #isSlow = false;

  constructor(deps: SubscriptionDeps, tail: LogTail, options: Options, life: StreamLife) {
    super(life);
    this.reader = options.reader;
    this.#deps = deps;
    this.#tail = tail;
    this.#buffer = new EventBuffer(options.reader.filter);
    this.#position = options.from.position;
    this.#cursor = options.from.cursor;
  }

  /** The cursor after all sent events, and those that the client cannot see. */
  get cursor(): string {
    const isCaughtUp = this.#isLive && this.#buffer.isEmpty;
    return isCaughtUp && this.#position.number < this.#tail.position.number
      ? this.#tail.cursor
      : this.#cursor;
  }

  get credential(): Credential {
    return this.reader.credential;
  }

  receive(events: RenderedEvent[], membership: CallerMembership): void {
    if (this.isOver) return;
    this.#buffer.add(events, membership);
    this.#isSlow ||= this.#buffer.isOverflown && this.#isLive;
    if (this.#buffer.hasEvents) this.wake();
  }

  override refuse(failure: Failure): void {
    this.#buffer.clear();
    super.refuse(failure);
  }

  /** Ends the stream after the buffered events. */
  override end(reason: Failure | "over"): void {
    this.#tail.listeners.delete(this);
    super.end(reason);
  }

  override close(): void {
    this.#tail.listeners.delete(this);
    super.close();
  }

  protected async *items(): AsyncGenerator<TrackedItem, void> {
    yield this.#signal("ready");
    while (this.isOpen) {
      yield* this.#readPast(await this.#join());
      this.#isLive = true;
      yield* this.#readBuffer();
      this.#isLive = false;
      if (this.ended !== undefined) break;
      if (this.#isSlow) yield this.#signal("resync");
    }
  }

  #signal(type: "ready" | "resync"): TrackedItem {
    const cursor = this.#cursor;
    return tracked<StreamItem>(cursor, { type, cursor });
  }

  /** Joins the tail; returns the position where the tail's events start. */
  async #join(): Promise<LogPosition> {
    this.#buffer.clear();
    this.#isSlow = false;
    const position = await this.#tail.admit(this);
    // It may have ended meanwhile.
    if (!this.isOpen || this.ended !== undefined) this.#tail.listeners.delete(this);
    return position;
  }

  /** Sends the events between the client's position and the tail's from the log. */
  async *#readPast(until: LogPosition): AsyncGenerator<TrackedItem, void> {
    const { id, publicId } = this.#tail.owner;
    const { seal, config, clock } = this.#deps;
    const cursors = cursorsOf(seal, id, config.EVENT_DAYS);
    while (this.isOpen && !this.isOver && this.#position.number < until.number) {
      const page = await readPage(this.#deps, this.reader, {
        after: this.#position,
        until,
        limit: pageSize,
      });
      for (const row of page.rows) {
        if (!this.isOpen || this.isOver) return;
        yield this.#send(new RenderedEvent(row, noAccess, publicId, cursors));
      }
      this.#position = page.end;
      this.#cursor = cursors.write(page.end, page.at ?? clock());
    }
  }

  /** Sends the tail's events until the buffer overflows. */
  async *#readBuffer(): AsyncGenerator<TrackedItem, void> {
    while (this.isOpen) {
      const event = this.#buffer.next();
      if (event !== undefined) {
        if (this.#position.number < event.row.number) yield this.#send(event);
      } else if (this.#buffer.isOverflown || this.isOver) {
        return;
      } else {
        await this.wait();
      }
    }
  }

  #send({ row, item }: RenderedEvent): TrackedItem {
    this.#position = positionAfter(row);
    [this.#cursor] = item;
    this.count++;
    return item;
  }
}
