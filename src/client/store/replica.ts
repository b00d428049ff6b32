import { BoardServiceError } from "../errors.ts";
import type { Client, FollowedEvent } from "../index.ts";
import { orderOf } from "../order.ts";
import { delayOf } from "../transport.ts";
import { BoardCopy } from "./copy.ts";
import { denied, isDenied } from "./failures.ts";
import { Feeds } from "./feeds.ts";
import { getOrMake } from "./get-or-make.ts";
import { once } from "./once.ts";
import type { OpenWorkspace, ReplicaHandlers } from "./replica-handlers.ts";
import { readBoard, retryRead } from "./read-board.ts";
import { applyEvent, lostBoard, shownBoard } from "./reducer.ts";
import { workspaceKey, type SavedBoards } from "./saved-boards.ts";
import type { BoardView, Stop } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** How long a board without subscribers is followed. */
const graceMs = 1_000;
/** The copies of the open boards, patched by the events of their workspaces. */
export class Replica {
  /** By their id. */
  readonly copies = new Map<string, BoardCopy>();
  readonly feeds: Feeds;
  /** The workspaces whose boards are all open. */
  workspaces = new Map<string, OpenWorkspace>();
  readonly #client: Client;
  readonly #saved: SavedBoards;
  readonly #waiting: Waiting;
  readonly #handlers: ReplicaHandlers;
  readonly #unread = new Set<BoardCopy>();

  constructor(client: Client, saved: SavedBoards, waiting: Waiting, handlers: ReplicaHandlers) {
    this.#client = client;
    this.#saved = saved;
    this.#waiting = waiting;
    this.#handlers = handlers;
    this.feeds = new Feeds(client, waiting, {
      onEvent: (event) => this.#handle(event),
      onResync: (id) => this.#readAll(id),
      onGap: (id) => handlers.onGap(id),
      onConnection: handlers.onConnection,
      onEnd: (id, error) => void this.#end(id, error),
    });
  }

  /** The copy of a board; the same for the same id. */
  copy(publicId: string): BoardCopy {
    return getOrMake(this.copies, publicId, () => new BoardCopy(publicId, this.#handlers.onShown));
  }

  /** Loads a board and follows it until the returned function is called. */
  open(copy: BoardCopy): Stop {
    const { base, hydrated } = copy;
    if (copy.users++ === 0 && hydrated !== undefined) {
      const { board, order, cursor, isStored } = hydrated;
      copy.hydrated = undefined;
      this.#setBase(copy, board, order, isStored);
      this.feeds.follow(board.workspacePublicId, cursor, this.feeds.cursors());
    } else if (base === undefined && copy.reading === undefined) void this.#load(copy);
    return once(() => {
      copy.users--;
      void this.#waiting.wait(graceMs).then(() => this.#release(copy));
    });
  }

  /** Follows a workspace, in addition to its boards, until the returned function is called. */
  hold(workspacePublicId: string): Stop {
    return this.feeds.hold(workspacePublicId, () => this.#prune());
  }

  #isHeld(workspacePublicId: string): boolean {
    return this.workspaces.has(workspacePublicId) || this.feeds.isHeld(workspacePublicId);
  }

  /** Reads a board; again when it is asked for meanwhile. Resolves when it was read after the call. */
  read(copy: BoardCopy): Promise<void> {
    if (copy.reading !== undefined) {
      this.#unread.add(copy);
      return copy.reading;
    }
    const reading = this.#read(copy).finally(() => {
      if (copy.reading !== reading) return;
      copy.reading = undefined;
      if (this.#unread.delete(copy)) void this.read(copy);
    });
    copy.reading = reading;
    return reading;
  }

  async #read(copy: BoardCopy): Promise<void> {
    const events: FollowedEvent[] = (copy.buffer = []);
    const cursors = this.feeds.cursors();
    const isNeeded = () => copy.buffer === events;
    const result = await this.retryRead(() => readBoard(this.#client, copy.publicId), isNeeded);
    // It was reset meanwhile: it is closed, or the user has signed out.
    if (!isNeeded()) return;
    copy.buffer = undefined;
    if (result instanceof BoardServiceError) {
      if (isDenied(result)) {
        if (!(await this.#handlers.isCreating(copy.publicId))) this.#deny(copy, result);
      } else if (copy.base === undefined) copy.deny(result);
      else {
        await this.#waiting.wait(delayOf(9));
        if (copy.base !== undefined) this.#unread.add(copy);
      }
    } else if (result !== undefined) {
      const { cursor, ...board } = result;
      this.#setBase(copy, board, orderOf(cursor));
      for (const event of events) this.#apply(copy, event);
      this.feeds.follow(board.workspacePublicId, cursor, cursors);
      this.#prune();
      void this.#saved.check(board);
      void this.#saved.saveCards(board.workspacePublicId, [board.publicId]);
    }
    if (this.#unread.delete(copy)) await this.#read(copy);
  }

  /** Reads until the service has answered; undefined when it is no longer needed. */
  retryRead<Result>(read: () => Promise<Result>, isNeeded: () => boolean) {
    return retryRead(read, isNeeded, this.#waiting, this.#handlers.connection);
  }

  /** Removes everything. */
  reset(): void {
    for (const copy of this.copies.values()) copy.reset();
    this.workspaces = new Map();
    this.close();
  }

  close(): void {
    this.feeds.stop(() => false);
  }

  async #load(copy: BoardCopy): Promise<void> {
    void this.read(copy);
    const { buffer } = copy;
    const saved = await this.#saved.load(copy.publicId);
    const isNeeded = copy.buffer === buffer && copy.state.status === "loading";
    if (saved !== undefined && isNeeded) this.#setBase(copy, saved.board, saved.order, true);
  }

  #release(copy: BoardCopy): void {
    if (copy.users > 0 || this.#waiting.isClosed) return;
    copy.reset();
    this.#prune();
  }

  /** Stops the feeds that no board needs. A denied board waits for `access.gained`. */
  #prune(): void {
    const copies = [...this.copies.values()];
    if (copies.some(({ base, users }) => users > 0 && base === undefined)) return;
    // A page may open a board right after another one has closed it.
    const used = new Set(copies.map(({ base }) => base?.workspacePublicId));
    this.feeds.stop((id) => used.has(id) || this.#isHeld(id));
  }

  #handle(event: FollowedEvent): void {
    const lostId = lostBoard(event);
    if (lostId !== undefined && this.copies.get(lostId)?.base === undefined)
      this.#handlers.onDenied(lostId, denied());
    this.#handlers.onEvent(event, () => {
      for (const copy of this.copies.values()) this.#apply(copy, event);
    });
    const shownId = shownBoard(event);
    const workspace = this.workspaces.get(event.workspacePublicId);
    if (workspace === undefined) return;
    if (shownId !== undefined) {
      getOrMake(workspace.stops, shownId, () => this.open(this.copy(shownId)));
    }
    workspace.save();
  }

  #apply(copy: BoardCopy, event: FollowedEvent): void {
    copy.buffer?.push(event);
    const { base } = copy;
    if (base === undefined) {
      if (copy.users > 0 && shownBoard(event) === copy.publicId) void this.read(copy);
      return;
    }
    const { order, workspacePublicId } = event;
    if (workspacePublicId !== base.workspacePublicId || order <= copy.order) return;
    const next = applyEvent(base, event);
    if (next === "remove") this.#deny(copy, denied());
    else if (next === "read") void this.read(copy);
    else this.#setBase(copy, next, order);
  }

  /** Sets the base of a copy, and only here: what comes in is stored. */
  #setBase(copy: BoardCopy, base: BoardView, order: string, isStored = false): void {
    const isChanged = copy.base !== base;
    copy.base = base;
    copy.order = order;
    if (isChanged) copy.changed = order;
    this.#handlers.onChange(copy);
    if (isStored) void this.#saved.renew(base);
    else if (isChanged) void this.#saved.save(copy);
  }

  #deny(copy: BoardCopy, error: BoardServiceError): void {
    copy.deny(error);
    this.#handlers.onDenied(copy.publicId, error);
  }

  #readAll(workspacePublicId: string): void {
    this.#handlers.onReadAgain(workspacePublicId);
    for (const copy of this.copies.values()) {
      if (copy.base?.workspacePublicId === workspacePublicId) void this.read(copy);
    }
  }

  async #end(workspacePublicId: string, error: BoardServiceError): Promise<void> {
    const feed = this.feeds.get(workspacePublicId);
    if (isDenied(error)) {
      this.feeds.stop((id) => id !== workspacePublicId);
      const workspace = this.workspaces.get(workspacePublicId);
      if (workspace !== undefined) workspace.error = error;
      void this.#saved.removeValue(workspaceKey(workspacePublicId));
      for (const copy of this.copies.values()) {
        if (copy.base?.workspacePublicId === workspacePublicId) this.#deny(copy, error);
      }
      return;
    }
    this.#handlers.connection.interrupt(error);
    await this.#waiting.wait(delayOf(4));
    if (this.#waiting.isClosed || this.feeds.get(workspacePublicId) !== feed) return;
    if (error.status === 401) return this.feeds.start(workspacePublicId);
    // The cursor is not known, or too old.
    this.feeds.stop((id) => id !== workspacePublicId);
    if (this.#isHeld(workspacePublicId)) this.feeds.start(workspacePublicId);
    for (const { base, publicId } of this.copies.values()) {
      if (base?.workspacePublicId === workspacePublicId) this.#handlers.onLogLost(publicId);
    }
    this.#readAll(workspacePublicId);
    this.workspaces.get(workspacePublicId)?.read();
  }
}
