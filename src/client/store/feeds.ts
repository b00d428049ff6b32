import type { Client } from "../index.ts";
import { Feed, orderOf, type FeedHandlers } from "./feed.ts";

/** The feeds of the workspaces of the open boards. */
export class Feeds {
  readonly #client: Client;
  readonly #handlers: FeedHandlers;
  readonly #feeds = new Map<string, Feed>();

  constructor(client: Client, handlers: FeedHandlers) {
    this.#client = client;
    this.#handlers = handlers;
  }

  /** How far each feed has come. */
  cursors(): Map<string, string> {
    return new Map([...this.#feeds].map(([id, { cursor }]) => [id, cursor]));
  }

  get(workspacePublicId: string): Feed | undefined {
    return this.#feeds.get(workspacePublicId);
  }

  /**
   * Follows a workspace for a board that was read at a cursor. `before` has the cursors from when
   * the reading began: a feed that was farther repeats the events after the board's cursor.
   */
  follow(workspacePublicId: string, cursor: string, before: Map<string, string>): void {
    const running = this.#feeds.get(workspacePublicId);
    const handled = running && (before.get(workspacePublicId) ?? running.cursor);
    if (handled !== undefined && orderOf(handled) <= orderOf(cursor)) return;
    const feed = running ?? new Feed(this.#client, workspacePublicId, this.#handlers);
    this.#feeds.set(workspacePublicId, feed);
    feed.start(cursor);
  }

  /** Follows all workspaces from where they are: the connection is back. */
  restart(): void {
    for (const feed of this.#feeds.values()) feed.start();
  }

  /** Ends the feeds that a function does not select. */
  stop(isUsed: (workspacePublicId: string) => boolean): void {
    for (const [id, feed] of this.#feeds) {
      if (isUsed(id)) continue;
      feed.stop();
      this.#feeds.delete(id);
    }
  }
}
