import {
  aheadOfLog,
  cursorsOf,
  logStart,
  verifiable,
  type Cursors,
  type LogPosition,
} from "../../kernel/events/cursor.ts";
import type { LogOwner, Tracked } from "../../kernel/events/hub.ts";
import type { LogReader } from "../../kernel/events/log-sql.ts";
import type { Log } from "../../kernel/events/logs.ts";
import { endOfLog, type LogBatch } from "../../kernel/events/log.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Failure } from "../../platform/errors.ts";

/** The dependencies of what reads logs. */
export type LogDeps = Pick<Deps, "db" | "clock" | "seal" | "log" | "config">;

/** An event of a log as an item of a stream. */
export type LogItem<Item> = { readonly row: LogPosition; readonly item: Tracked<Item> };

/** A subscription of a log tail. It gets the events in order. */
export type Listener<Item> = {
  readonly reader: LogReader;
  /** Whether it drops events, because its client is too slow. */
  readonly isFull: boolean;
  receive(items: readonly LogItem<Item>[]): void;
  /** Ends without the events that wait: the reader has lost access. */
  refuse(failure: Failure): void;
  /** Ends after the events that wait. */
  end(failure: Failure): void;
};

/** The newest events of one log, which are read once for all its subscriptions. */
export class LogTail<Item> {
  readonly log: Log;
  readonly owner: LogOwner;
  readonly listeners = new Set<Listener<Item>>();
  /** Called when events have become readable. */
  readonly watchers = new Set<() => void>();
  readonly #deps: LogDeps;
  #position: LogPosition | undefined;
  #positionAt: Date;
  #opening: Promise<void> | undefined;
  #admissions: (() => void)[] = [];
  #isReading = false;

  constructor(deps: LogDeps, of: Log["of"], owner: LogOwner) {
    this.log = { of, id: owner.id };
    this.owner = owner;
    this.#deps = deps;
    this.#positionAt = deps.clock();
  }

  /** Finds the end of the log: later events are sent. */
  async open(): Promise<void> {
    this.#opening ??= this.#open();
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #open(): Promise<void> {
    this.#position ??= await endOfLog(this.#deps.db.read, this.log);
  }

  /** The position after everything that was sent. */
  get position(): LogPosition {
    return this.#position ?? logStart;
  }

  /** The cursor of the position. */
  get cursor(): string {
    return this.cursors.write(this.position, this.#positionAt);
  }

  get cursors(): Cursors {
    const { seal, config } = this.#deps;
    return cursorsOf(seal, this.log, config.EVENT_DAYS);
  }

  /** Adds a listener between two batches; returns the position after which it gets all events. */
  async admit(listener: Listener<Item>): Promise<LogPosition> {
    const add = () => void this.listeners.add(listener);
    if (this.#isReading) {
      await new Promise<void>((resolve) => this.#admissions.push(() => resolve(add())));
    } else add();
    return this.position;
  }

  /** Moves the cursor's time to now: a poll has found no new event. */
  refreshCursor(): void {
    this.#positionAt = this.#deps.clock();
  }

  /** Begins to read a batch: returns the position after which it starts. */
  begin(): LogPosition {
    const { clock, config } = this.#deps;
    this.#isReading = true;
    return verifiable(this.position, clock(), config.EVENT_DAYS);
  }

  /** Continues after a batch whose events were sent. */
  async continueAfter({ end, at, isAhead }: LogBatch): Promise<void> {
    const { db, clock } = this.#deps;
    if (isAhead) for (const listener of this.listeners) listener.end(aheadOfLog("cursor"));
    this.#position = isAhead ? await endOfLog(db.read, this.log) : end;
    this.#positionAt = at ?? clock();
  }

  /** Ends the reading of a batch. */
  finish(): void {
    this.#isReading = false;
    for (const admit of this.#admissions.splice(0)) admit();
  }
}
