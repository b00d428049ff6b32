import { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import type { Client } from "../index.ts";
import { delayOf } from "../transport.ts";
import { BoardCopy } from "./copy.ts";
import { denied, isDenied } from "./failures.ts";
import { orderOf } from "./feed.ts";
import { Feeds } from "./feeds.ts";
import { getOrMake } from "./get-or-make.ts";
import { once } from "./once.ts";
import { boardOf, dropBoard, reloadBoard } from "./patches.ts";
import type { OpenWorkspace, ReplicaHandlers } from "./replica-handlers.ts";
import { readBoard, readWhen } from "./read-board.ts";
import { applyEvent, boardOfChange } from "./reducer.ts";
import type { SavedBoards } from "./saved-boards.ts";
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
  readonly workspaces = new Map<string, OpenWorkspace>();
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
    this.feeds = new Feeds(client, {
      onEvent: (event) => this.#handle(event),
      onResync: (id) => this.#readAll(id),
      onConnection: (state) => handlers.onConnection(state),
      onEnd: (id, error) => void this.#end(id, error),
    });
  }

  /** The copy of a board; the same for the same id. */
  copy(publicId: string): BoardCopy {
    return getOrMake(this.copies, publicId, () => new BoardCopy(publicId));
  }

  /** Loads a board and follows it until the returned function is called. */
  open(copy: BoardCopy): Stop {
    const { base, cursor } = copy;
    if (copy.users++ === 0 && base !== undefined && cursor !== undefined) {
      copy.cursor = undefined;
      this.#setBase(copy, base, copy.order);
      this.feeds.follow(base.workspacePublicId, cursor, this.feeds.cursors());
    } else if (base === undefined && copy.buffer === undefined) void this.#load(copy);
    return once(() => {
      copy.users--;
      void this.#waiting.wait(graceMs).then(() => this.#release(copy));
    });
  }

  /** Reads a board; again when it is asked for meanwhile. */
  async read(copy: BoardCopy): Promise<void> {
    if (copy.buffer !== undefined) {
      this.#unread.add(copy);
      return;
    }
    copy.buffer = [];
    const cursors = this.feeds.cursors();
    const found = await this.readWhen(
      () => readBoard(this.#client, copy.publicId),
      () => copy.users > 0,
    );
    const events = copy.buffer;
    copy.buffer = undefined;
    if (found instanceof BoardServiceError) this.#deny(copy, found);
    else if (found !== undefined) {
      const { cursor, ...board } = found;
      this.#setBase(copy, board, orderOf(cursor));
      for (const event of events) this.#apply(copy, event);
      this.feeds.follow(board.workspacePublicId, cursor, cursors);
      this.#prune();
      void this.#saved.check(board);
    }
    if (this.#unread.delete(copy)) await this.read(copy);
  }

  /** Reads until the service has answered; undefined when it is no longer needed. */
  readWhen<Result>(read: () => Promise<Result>, isNeeded: () => boolean) {
    return readWhen(read, isNeeded, this.#waiting, this.#handlers.onInterrupted);
  }

  /** Removes everything. */
  reset(): void {
    for (const copy of this.copies.values()) copy.reset();
    this.close();
  }

  close(): void {
    this.feeds.stop(() => false);
  }

  async #load(copy: BoardCopy): Promise<void> {
    void this.read(copy);
    const saved = await this.#saved.load(copy.publicId);
    if (saved === undefined || copy.state.status !== "loading" || copy.users === 0) return;
    this.#setBase(copy, saved.board, saved.order);
  }

  #release(copy: BoardCopy): void {
    if (copy.users > 0 || this.#waiting.isClosed) return;
    copy.reset();
    this.#prune();
  }

  /** Stops the feeds that no board needs. A denied board waits for `access.gained`. */
  #prune(): void {
    const open = [...this.copies.values()].filter(({ users }) => users > 0);
    if (open.some(({ base }) => base === undefined)) return;
    const used = new Set(open.map(({ base }) => base?.workspacePublicId));
    this.feeds.stop((id) => used.has(id) || this.workspaces.has(id));
  }

  #handle(event: FollowedEvent): void {
    this.#handlers.onEvent(event, () => {
      for (const copy of this.copies.values()) this.#apply(copy, event);
    });
    const id = boardOf(event);
    if (id !== undefined && !this.copies.has(id)) this.#openNew(id, event);
    const lost = boardOfChange(event, dropBoard);
    if (lost !== undefined && !this.copies.has(lost)) this.#handlers.onDenied(lost, denied());
  }

  /** Opens a board of a workspace whose boards are all open. */
  #openNew(id: string, event: FollowedEvent): void {
    const workspace = this.workspaces.get(event.workspacePublicId);
    if (boardOfChange(event, reloadBoard) !== id && event.type !== "board.unarchived") return;
    workspace?.stops.push(this.open(this.copy(id)));
  }

  #apply(copy: BoardCopy, event: FollowedEvent): void {
    copy.buffer?.push(event);
    const { base } = copy;
    if (base === undefined) {
      if (copy.users > 0 && boardOfChange(event, reloadBoard) === copy.publicId)
        void this.read(copy);
      return;
    }
    const isKnown = orderOf(event.pageCursor ?? event.cursor) <= copy.order;
    if (event.workspacePublicId !== base.workspacePublicId || isKnown) return;
    const next = applyEvent(base, event);
    const order = orderOf(event.cursor);
    if (next === "remove") this.#deny(copy, denied());
    else if (next === "read") void this.read(copy);
    else this.#setBase(copy, next, order > copy.order ? order : copy.order);
  }

  #setBase(copy: BoardCopy, base: BoardView, order: string): void {
    const isChanged = copy.base !== base;
    copy.base = base;
    copy.order = order;
    this.#handlers.onChange(copy);
    if (isChanged) void this.#saved.save(copy);
  }

  #deny(copy: BoardCopy, error: BoardServiceError): void {
    copy.deny(error);
    this.#handlers.onDenied(copy.publicId, error);
  }

  #readAll(workspacePublicId: string): void {
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
      for (const copy of this.copies.values()) {
        if (copy.base?.workspacePublicId === workspacePublicId) this.#deny(copy, error);
      }
      return;
    }
    this.#handlers.onInterrupted(error);
    await this.#waiting.wait(delayOf(4));
    if (this.#waiting.isClosed || this.feeds.get(workspacePublicId) !== feed) return;
    if (error.status === 401) return feed?.start();
    // The cursor is not known, or too old.
    this.feeds.stop((id) => id !== workspacePublicId);
    this.#readAll(workspacePublicId);
  }
}
