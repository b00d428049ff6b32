import { membershipsIn, type CallerMembership } from "../../kernel/access/memberships.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import {
  aheadOfLog,
  cursorsOf,
  logStart,
  verifiable,
  type LogPosition,
} from "../../kernel/events/cursor.ts";
import type { LogOwner } from "../../kernel/events/hub.ts";
import { type LogReader, workspaceLog } from "../../kernel/events/log-sql.ts";
import { withCurrentNames } from "../../kernel/events/current-names.ts";
import { endOfLog, readLog, type LogBatch } from "../../kernel/events/log.ts";
import { findAccess } from "../../kernel/events/redact.ts";
import { Failure, notFound } from "../../platform/errors.ts";
import { RenderedEvent } from "./rendered-event.ts";

/** The dependencies of a log tail. */
export type LogTailDeps = Pick<Deps, "db" | "clock" | "seal" | "log"> & { retentionDays: number };

/** A subscription of a log tail. It gets the events in order. */
export type Listener = {
  reader: LogReader;
  receive(events: RenderedEvent[], membership: CallerMembership): void;
  /** Ends without the events that wait: the reader has lost access. */
  refuse(failure: Failure): void;
  /** Ends after the events that wait. */
  end(failure: Failure): void;
};

const batchSize = 200;

/** Reads the newest events of one workspace, once for all its subscriptions. */
export class LogTail {
  readonly owner: LogOwner;
  readonly listeners = new Set<Listener>();
  /** Called when events have become readable. */
  readonly watchers = new Set<() => void>();
  readonly #deps: LogTailDeps;
  readonly #readAgain: (tail: LogTail) => void;
  #position: LogPosition | undefined;
  #positionAt: Date;
  #opening: Promise<void> | undefined;
  #admissions: (() => void)[] = [];
  #isReading = false;

  /** Calls `readAgain` when the log must be read again. */
  constructor(deps: LogTailDeps, owner: LogOwner, readAgain: (tail: LogTail) => void) {
    this.owner = owner;
    this.#deps = deps;
    this.#readAgain = readAgain;
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
    this.#position ??= await endOfLog(this.#deps.db.read, workspaceLog(this.owner.id));
  }

  /** The position after everything that was sent. */
  get position(): LogPosition {
    return this.#position ?? logStart;
  }

  /** The cursor of the position. */
  get cursor(): string {
    return this.#cursors.write(this.position, this.#positionAt);
  }

  get #cursors() {
    const { seal, retentionDays } = this.#deps;
    return cursorsOf(seal, this.owner.id, retentionDays);
  }

  /** Adds a listener between two batches; returns the position after which it gets all events. */
  async admit(listener: Listener): Promise<LogPosition> {
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

  /** Reads the next batch and sends it. */
  async read(): Promise<void> {
    const { db, clock, retentionDays } = this.#deps;
    this.#isReading = true;
    try {
      const batch = await readLog(db.read, {
        workspaceId: this.owner.id,
        after: verifiable(this.position, clock(), retentionDays),
        limit: batchSize,
      });
      if (batch.isAhead) return await this.#startAgain();
      if (batch.rows.length > 0) await this.#send(batch);
      this.#position = batch.end;
      this.#positionAt = batch.at ?? clock();
      if (batch.hasMore) this.#readAgain(this);
    } finally {
      this.#isReading = false;
      for (const admit of this.#admissions.splice(0)) admit();
    }
  }

  /** Ends all streams and continues at the end of the log: the database was restored. */
  async #startAgain(): Promise<void> {
    for (const listener of this.listeners) listener.end(aheadOfLog("cursor"));
    this.#position = await endOfLog(this.#deps.db.read, workspaceLog(this.owner.id));
    this.#positionAt = this.#deps.clock();
  }

  // Permissions, boards and names are read after the batch: they are never older than its events.
  async #send(batch: LogBatch): Promise<void> {
    const { db } = this.#deps;
    const memberships = await this.#memberships();
    const neededRows = memberships.size === 0 ? [] : batch.rows;
    const access = await findAccess(db.read, neededRows);
    const rows = await withCurrentNames(db.read, this.owner.id, neededRows);
    const cursors = this.#cursors;
    const events = rows.map((row) => new RenderedEvent(row, access, this.owner.publicId, cursors));
    for (const [listener, membership] of memberships) {
      if (membership instanceof Failure) listener.refuse(membership);
      else {
        listener.receive(events, membership);
        if (membership.isDeleted) listener.end(notFound("workspace"));
      }
    }
    for (const notify of this.watchers) notify();
  }

  async #memberships(): Promise<Map<Listener, CallerMembership | Failure>> {
    const { db, clock } = this.#deps;
    const listeners = [...this.listeners];
    const [first] = listeners;
    if (first === undefined) return new Map();
    const credentials = listeners.map(({ reader }) => reader.credential);
    // All listeners use the same operation.
    const { operation } = first.reader;
    const membershipOf = await membershipsIn(
      db.read,
      this.owner.id,
      operation,
      credentials,
      clock(),
    );
    return new Map(
      listeners.map((listener) => [listener, membershipOf(listener.reader.credential)]),
    );
  }
}
