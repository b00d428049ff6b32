import { tracked } from "@trpc/server";
import type { CallerMembership } from "../../kernel/access/memberships.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Failure } from "../../platform/errors.ts";
import { cursorsOf, isBefore, type Position } from "../../kernel/events/cursor.ts";
import { matchesFilter } from "../../kernel/events/filter.ts";
import { readerOf, readPage } from "../../kernel/events/page.ts";
import type { LogReader } from "../../kernel/events/log-reader.ts";
import type { StreamItem } from "../../contract/event-envelope.ts";
import type { EventStream, TrackedItem } from "../../kernel/events/hub.ts";
import { RenderedEvent } from "./rendered-event.ts";
import type { Listener, LogTail } from "./log-tail.ts";

/** How many events may wait for a client; with more, it is told to resync and is given them from the log at its own speed. */
const mostWaiting = 500;
const pageSize = 100;

/** Who follows, from where on, and until when. */
export type Following = {
  reader: LogReader;
  /** A place and its cursor. */
  from: { position: Position; cursor: string };
  until: Date;
};

type FollowerDeps = Pick<Deps, "db" | "clock" | "seal" | "config">;

/** One open stream: what its client has missed, read from the log, and then what its topic tells, without a gap between the two. */
export class Subscription implements Listener, EventStream {
  readonly reader: LogReader;
  /** How many events it has told. */
  count = 0;
  /** Called now and then, so that the connection is seen to be alive. */
  ping: (() => void) | undefined;
  /** Cuts the connection of a client that does not even take the end. */
  cut: (() => void) | undefined;
  readonly #deps: FollowerDeps;
  readonly #topic: LogTail;
  readonly #until: Date;
  readonly #left: () => void;
  #passed: Position;
  #cursor: string;
  #waiting: RenderedEvent[] = [];
  #tooMany = false;
  /** Whether there was too much for a client that had caught up. */
  #isSlow = false;
  #isLive = false;
  #isOpen = true;
  #why: Failure | "over" | undefined;
  #wake: (() => void) | undefined;

  /** `left` is called once, when it has ended. */
  constructor(deps: FollowerDeps, topic: LogTail, following: Following, left: () => void) {
    this.reader = following.reader;
    this.#deps = deps;
    this.#topic = topic;
    this.#until = following.until;
    this.#left = left;
    this.#passed = following.from.position;
    this.#cursor = following.from.cursor;
  }

  /** The cursor after all that has been told, and all that was not for its client. */
  get cursor(): string {
    const hasAll = this.#isLive && this.#waiting.length === 0 && !this.#tooMany;
    return hasAll && isBefore(this.#passed, this.#topic.position)
      ? this.#topic.cursor
      : this.#cursor;
  }

  /** Whether it is to end; whoever waits in it is woken to see that. */
  get isOver(): boolean {
    if (this.#why === undefined && this.#deps.clock() >= this.#until) this.end("over");
    return this.#why !== undefined;
  }

  hear(told: RenderedEvent[], stand: CallerMembership): void {
    if (this.isOver) return;
    const reader = readerOf(stand);
    for (const one of told) {
      if (this.#tooMany) break;
      if (!matchesFilter(one.row, this.reader.filter)) continue;
      const seen = one.seenBy(reader);
      if (seen === null || !matchesFilter(seen.row, this.reader.filter)) continue;
      if (this.#waiting.length < mostWaiting) this.#waiting.push(seen);
      else this.#tooMany = true;
    }
    this.#isSlow ||= this.#tooMany && this.#isLive;
    if (this.#waiting.length > 0) this.#wake?.();
  }

  refuse(why: Failure): void {
    this.#waiting = [];
    this.end(why);
  }

  /** Ends it after what is waiting: with a failure, or so that its client comes again. */
  end(why: Failure | "over"): void {
    this.#why ??= why;
    this.#topic.listeners.delete(this);
    this.#wake?.();
  }

  /** Ends it at once: nobody listens any more. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#topic.listeners.delete(this);
    this.#left();
    this.#wake?.();
  }

  /** Tells everything in its order. It ends by throwing: a failure, or the abortion after which a client comes again. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TrackedItem, void> {
    try {
      yield this.#signal("ready");
      while (this.#isOpen) {
        yield* this.#past(await this.#join());
        this.#isLive = true;
        yield* this.#present();
        this.#isLive = false;
        if (this.#why !== undefined) break;
        if (this.#isSlow) yield this.#signal("resync");
      }
    } finally {
      this.close();
    }
    if (this.#why === "over") throw new DOMException("The stream has had its time.", "AbortError");
    if (this.#why !== undefined) throw this.#why;
  }

  #signal(type: "ready" | "resync"): TrackedItem {
    const cursor = this.#cursor;
    return tracked<StreamItem>(cursor, { type, cursor });
  }

  async #join(): Promise<Position> {
    this.#waiting = [];
    this.#tooMany = false;
    this.#isSlow = false;
    const position = await this.#topic.admit(this);
    // It may have come to its end meanwhile.
    if (!this.#isOpen || this.#why !== undefined) this.#topic.listeners.delete(this);
    return position;
  }

  /** What lies between the client's place and the topic's, read from the log. */
  async *#past(until: Position): AsyncGenerator<TrackedItem, void> {
    const { id, publicId } = this.#topic.home;
    const { seal, config, clock } = this.#deps;
    const cursors = cursorsOf(seal, id, config.EVENT_DAYS);
    while (this.#isOpen && !this.isOver && isBefore(this.#passed, until)) {
      const page = await readPage(this.#deps, this.reader, {
        after: this.#passed,
        until,
        limit: pageSize,
      });
      for (const row of page.rows) {
        if (!this.#isOpen || this.isOver) return;
        yield this.#take(new RenderedEvent(row, new Map(), publicId, cursors));
      }
      this.#passed = page.end;
      this.#cursor = cursors.write(page.end, page.at ?? clock());
    }
  }

  /** What the topic tells, until there is too much of it. */
  async *#present(): AsyncGenerator<TrackedItem, void> {
    while (this.#isOpen) {
      const told = this.#waiting.shift();
      if (told !== undefined) {
        if (isBefore(this.#passed, told.row)) yield this.#take(told);
      } else if (this.#tooMany || this.isOver) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }

  #take({ row, item }: RenderedEvent): TrackedItem {
    this.#passed = { transactionId: row.transactionId, id: row.id };
    [this.#cursor] = item;
    this.count++;
    return item;
  }
}
