import type { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import type { Client } from "../index.ts";
import { orderOf } from "../order.ts";
import { once } from "./once.ts";
import type { Stop } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** What a feed informs its store of. */
export type FeedHandlers = {
  onEvent(event: FollowedEvent): void;
  onResync(workspacePublicId: string): void;
  /** The feed begins now: events before may be missing. */
  onGap(workspacePublicId: string): void;
  onConnection(state: "live" | "polling" | "lost"): void;
  /** The feed has ended: the workspace cannot be seen, or the cursor is not known. */
  onEnd(workspacePublicId: string, error: BoardServiceError): void;
};

/** A feed: all events after its cursor have been handled or will be. */
type Feed = { cursor: string; readonly stop: AbortController };

/** The feeds of the workspaces of the open boards. */
export class Feeds {
  readonly #client: Client;
  readonly #waiting: Waiting;
  readonly #handlers: FeedHandlers;
  readonly #feeds = new Map<string, Feed>();
  /** How many need the feed of a workspace, in addition to its boards. */
  readonly #held = new Map<string, number>();

  constructor(client: Client, waiting: Waiting, handlers: FeedHandlers) {
    this.#client = client;
    this.#waiting = waiting;
    this.#handlers = handlers;
  }

  /** How far each feed has come. */
  cursors(): Map<string, string> {
    return new Map([...this.#feeds].map(([id, { cursor }]) => [id, cursor]));
  }

  /** Follows a workspace, in addition to its boards, until the returned function is called. */
  hold(id: string, onEnd: () => void): Stop {
    const change = (by: number) => this.#held.set(id, (this.#held.get(id) ?? 0) + by);
    change(1);
    if (this.get(id) === undefined) this.start(id);
    return once(() => {
      change(-1);
      onEnd();
    });
  }

  isHeld(workspacePublicId: string): boolean {
    return (this.#held.get(workspacePublicId) ?? 0) > 0;
  }

  /** The running feed of a workspace: another object after each start. */
  get(workspacePublicId: string): Feed | undefined {
    return this.#feeds.get(workspacePublicId);
  }

  /**
   * Follows a workspace for a board that was read at a cursor. `before` has the cursors from when
   * the reading began: a feed that was farther repeats the events after the board's cursor.
   */
  follow(workspacePublicId: string, cursor: string, before: Map<string, string>): void {
    const running = this.get(workspacePublicId);
    const handled = running && (before.get(workspacePublicId) ?? running.cursor);
    // A feed without a cursor has begun at an unknown moment.
    if (handled && orderOf(handled) <= orderOf(cursor)) return;
    this.start(workspacePublicId, cursor);
  }

  /** Follows a workspace from a cursor, or again from where its feed is, or else from now. */
  start(workspacePublicId: string, cursor = this.get(workspacePublicId)?.cursor ?? ""): void {
    this.get(workspacePublicId)?.stop.abort();
    // The store was closed while a board was read.
    if (this.#waiting.isClosed) return;
    const feed = { cursor, stop: new AbortController() };
    this.#feeds.set(workspacePublicId, feed);
    void this.#run(workspacePublicId, feed);
  }

  /** Follows all workspaces from where they are: the connection is back. */
  restart(): void {
    for (const id of this.#feeds.keys()) this.start(id);
  }

  /** Ends the feeds that a function does not select. */
  stop(isUsed: (workspacePublicId: string) => boolean): void {
    for (const [id, { stop }] of this.#feeds) {
      if (isUsed(id)) continue;
      stop.abort();
      this.#feeds.delete(id);
    }
  }

  async #run(workspacePublicId: string, feed: Feed): Promise<void> {
    const { signal } = feed.stop;
    const handlers = this.#handlers;
    let isKnown = feed.cursor !== "";
    const events = this.#client.events(workspacePublicId, {
      ...(isKnown ? { from: feed.cursor } : {}),
      signal,
      onResync: () => handlers.onResync(workspacePublicId),
      onConnection(state) {
        if (signal.aborted) return;
        handlers.onConnection(state);
        if (isKnown || state === "lost") return;
        isKnown = true;
        handlers.onGap(workspacePublicId);
      },
    });
    try {
      for await (const event of events) {
        if (signal.aborted) return;
        feed.cursor = event.cursor;
        handlers.onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      // An event that cannot be applied ends the feed too: the boards are read again.
      handlers.onEnd(workspacePublicId, error as BoardServiceError);
    }
  }
}
