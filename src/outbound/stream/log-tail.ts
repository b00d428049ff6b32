import type { LogOwner } from "../../kernel/events/hub.ts";
import { membershipsIn, type CallerMembership } from "../../kernel/access/memberships.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Failure, notFound } from "../../platform/errors.ts";
import { cursorsOf, type Position } from "../../kernel/events/cursor.ts";
import { endOfLog, readLog, type LogBatch } from "../../kernel/events/log.ts";
import type { LogReader } from "../../kernel/events/log-reader.ts";
import { findBoards } from "../../kernel/events/redact.ts";
import { RenderedEvent } from "./rendered-event.ts";

/** What a topic works with. */
export type LogTailDeps = Pick<Deps, "db" | "clock" | "seal" | "log"> & { keptDays: number };

/** Who is told of what comes, in its order. */
export type Listener = {
  reader: LogReader;
  hear(told: RenderedEvent[], stand: CallerMembership): void;
  /** They may hear nothing more, not even what is still waiting for them. */
  refuse(why: Failure): void;
  /** Nothing more will come. */
  end(why: Failure): void;
};

const pieceSize = 200;
const firstRetryMs = 5;
const longestRetryMs = 250;
/** How long something may be held back before it is looked into by whom. */
const patienceMs = 200;
const warnMs = 15_000;

/** One workspace's log as this process follows it: read once, and told to all who listen. */
export class LogTail {
  readonly home: LogOwner;
  readonly listeners = new Set<Listener>();
  /** Called whenever something new has become readable. */
  readonly watchers = new Set<() => void>();
  readonly #deps: LogTailDeps;
  readonly #again: (topic: LogTail) => void;
  #position: Position | undefined;
  #at: Date;
  #opening: Promise<void> | undefined;
  #admitted: (() => void)[] = [];
  #reading = false;
  #held: { since: number; timer: NodeJS.Timeout; ms: number; told: boolean } | undefined;

  /** `again` is called when the log should be read again. */
  constructor(deps: LogTailDeps, home: LogOwner, again: (topic: LogTail) => void) {
    this.home = home;
    this.#deps = deps;
    this.#again = again;
    this.#at = deps.clock();
  }

  /** Learns where the log ends now: what comes later is told. */
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
    const { complete } = await endOfLog(this.#deps.db.read);
    this.#position ??= complete;
  }

  /** The place up to which all has been told. */
  get position(): Position {
    return this.#position ?? { transactionId: 0n, id: 0n };
  }

  /** The cursor of that place. */
  get cursor(): string {
    const { seal, keptDays } = this.#deps;
    return cursorsOf(seal, this.home.id, keptDays).write(this.position, this.#at);
  }

  /** Lets somebody listen, between two pieces; answers the place from which on they hear everything. */
  async admit(listener: Listener): Promise<Position> {
    if (this.#reading) {
      await new Promise<void>((resolve) => {
        this.#admitted.push(() => {
          this.listeners.add(listener);
          resolve();
        });
      });
    } else this.listeners.add(listener);
    return this.position;
  }

  /** Nothing has come since. */
  quiet(): void {
    this.#at = this.#deps.clock();
  }

  /** Reads the next piece and tells it. */
  async read(): Promise<void> {
    const { db } = this.#deps;
    this.#reading = true;
    try {
      const careful = this.#held !== undefined && performance.now() - this.#held.since > patienceMs;
      const after = this.position;
      const piece = await readLog(db.read, {
        workspaceId: this.home.id,
        after,
        limit: pieceSize,
        careful,
      });
      if (piece.rows.length > 0) await this.#tell(piece);
      this.#position = piece.end;
      this.#at = piece.at ?? this.#deps.clock();
      if (piece.more) this.#again(this);
      else this.#retryIfHeld(piece);
    } finally {
      this.#reading = false;
      for (const admit of this.#admitted.splice(0)) admit();
    }
  }

  // What they may do and how the boards stand is asked after the piece has been read: nothing in it came before what is known then.
  async #tell({ rows }: LogBatch): Promise<void> {
    const { db, clock, seal, keptDays } = this.#deps;
    const listeners = [...this.listeners];
    const stands = new Map<Listener, CallerMembership | Failure>();
    if (listeners.length > 0) {
      const credentials = listeners.map(({ reader }) => reader.credential);
      // They all came by the same operation.
      const operation = listeners[0]?.reader.operation ?? "workspace.stream";
      const standOf = await membershipsIn(db.read, this.home.id, operation, credentials, clock());
      for (const one of listeners) stands.set(one, standOf(one.reader.credential));
    }
    const boards = await findBoards(db.read, listeners.length === 0 ? [] : rows);
    const cursors = cursorsOf(seal, this.home.id, keptDays);
    const told = rows.map((row) => new RenderedEvent(row, boards, this.home.publicId, cursors));
    for (const [listener, stand] of stands) {
      if (stand instanceof Failure) listener.refuse(stand);
      else {
        listener.hear(told, stand);
        if (stand.isDeleted) listener.end(notFound("workspace"));
      }
    }
    for (const watcher of this.watchers) watcher();
  }

  // Who holds it back may write elsewhere, or nothing: no ring tells of their end.
  #retryIfHeld({ blockedSince, rows }: LogBatch): void {
    if (blockedSince === null || rows.length > 0) this.close();
    if (blockedSince === null) return;
    const held = this.#held;
    const ms = held === undefined ? firstRetryMs : Math.min(held.ms * 2, longestRetryMs);
    const timer = setTimeout(() => this.#again(this), ms);
    timer.unref();
    clearTimeout(held?.timer);
    const since = held?.since ?? performance.now();
    const isLong = performance.now() - since > warnMs;
    if (isLong && held?.told !== true) {
      this.#deps.log.warn(
        { blockedSince },
        "events wait for a transaction that has been open in this database for long",
      );
    }
    this.#held = { since, timer, ms, told: isLong };
  }

  /** Ends what it waits for. */
  close(): void {
    clearTimeout(this.#held?.timer);
    this.#held = undefined;
  }
}
